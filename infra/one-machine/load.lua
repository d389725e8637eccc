-- Asks for paths in turn as many clients, each with an address of its own in X-Forwarded-For, and counts what the cache says.
-- Arguments: a file with a path a line, and how many clients there are. At the end, one line of JSON.

local requests, at = {}, 0
local threads = {}
hits, others, refused = 0, 0, 0

function setup(thread) threads[#threads + 1] = thread end

function init(arguments)
  local paths = {}
  for path in io.lines(arguments[1]) do paths[#paths + 1] = path end
  for client = 0, tonumber(arguments[2]) - 1 do
    local address = string.format("10.%d.%d.%d", math.floor(client / 65536), math.floor(client / 256) % 256, client % 256)
    requests[client + 1] = wrk.format("GET", paths[client % #paths + 1], { ["X-Forwarded-For"] = address })
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function response(status, headers)
  local cache = headers["X-Cache"]
  if status ~= 200 then refused = refused + 1
  elseif cache == "HIT" or cache == "STALE" or cache == "UPDATING" then hits = hits + 1
  else others = others + 1 end
end

function done(summary, latency)
  local counts = { hits = 0, others = 0, refused = 0 }
  for _, thread in ipairs(threads) do
    for name in pairs(counts) do counts[name] = counts[name] + thread:get(name) end
  end
  io.write(string.format(
    '\n{"hits":%d,"others":%d,"refused":%d,"seconds":%f,"p99Milliseconds":%f}\n',
    counts.hits, counts.others, counts.refused, summary.duration / 1e6, latency:percentile(99) / 1e3))
end
