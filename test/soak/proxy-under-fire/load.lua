-- Load for wrk: pages, filters, searches, documents, and strangers of which there is no end; answers are counted by status.
-- Arguments: the file with the paths, a line each.

local ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
local paths = {}
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(arguments)
  ok, unavailable, other = 0, 0, 0
  math.randomseed(1)
  for path in io.lines(arguments[1]) do table.insert(paths, path) end
end

-- 43 digits of which the first is large are always 32 bytes.
local function draw_stranger()
  local digits = { "z" }
  for _ = 1, 42 do
    local at = math.random(#ALPHABET)
    table.insert(digits, ALPHABET:sub(at, at))
  end
  return "/api/v1/validators/" .. table.concat(digits)
end

local function draw_path()
  local drawn = math.random(10)
  if drawn == 1 then return draw_stranger() end
  if drawn == 2 then return "/api/v1/epochs/" .. math.random(100000000) .. "/events" end
  if drawn == 3 then return "/api/v1/search?q=nobody" .. math.random(100000000) end
  return paths[math.random(#paths)]
end

function request()
  local address = "10.0." .. math.random(0, 3) .. "." .. math.random(255)
  return wrk.format("GET", draw_path(), { ["X-Forwarded-For"] = address })
end

function response(status)
  if status == 200 or status == 404 then ok = ok + 1
  elseif status == 503 then unavailable = unavailable + 1
  else other = other + 1 end
end

function done(summary, latency)
  local sum = { ok = 0, unavailable = 0, other = 0 }
  for _, thread in ipairs(threads) do
    for name in pairs(sum) do sum[name] = sum[name] + thread:get(name) end
  end
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"ok":%d,"unavailable":%d,"other":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d,"p99":%d}\n',
    summary.requests, sum.ok, sum.unavailable, sum.other,
    errors.connect, errors.read, errors.write, errors.timeout, latency:percentile(99)))
end
