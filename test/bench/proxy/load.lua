-- Sends requests of many clients in turn. Arguments: a file with a path a line, how many clients there are, the
-- milliseconds that a connection waits between two requests on average (0: none), and the coding they accept.
-- Every client has an address of its own in X-Forwarded-For. At the end, one line of JSON.

local requests, at = {}, 0

function init(arguments)
  local paths = {}
  for path in io.lines(arguments[1]) do paths[#paths + 1] = path end
  local clients = tonumber(arguments[2])
  for client = 0, clients - 1 do
    local address = string.format("10.%d.%d.%d", math.floor(client / 65536), math.floor(client / 256) % 256, client % 256)
    requests[client + 1] = wrk.format("GET", paths[client % #paths + 1], {
      ["X-Forwarded-For"] = address, ["Accept-Encoding"] = arguments[4],
    })
  end
  local pause = tonumber(arguments[3])
  -- wrk asks for a delay where there is the function: drawn, or all connections would send at once.
  if pause > 0 then delay = function() return math.random() * 2 * pause end end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"p99Milliseconds":%f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1e3, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
