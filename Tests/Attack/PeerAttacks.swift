import Foundation
import LinuxIO
import Monitoring
import Quantities

extension Attack {
  private static let greeting =
    #"{"class":"VERSION","release":"3.25","proto_major":3,"proto_minor":15}"# + "\n"

  private static func report(_ name: String, _ fields: String) -> String {
    #"{"class":"\#(name)","device":"/dev/a","mode":3,"time":"2026-06-01T12:00:00Z",\#(fields)}"#
  }

  private static let reports = [
    greeting,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":1}]}"#,
    report("TPV", #""lat":57.5,"lon":11.5,"altMSL":10,"eph":6,"epv":8,"speed":2,"track":10"#),
    report("SKY", #""hdop":1.1,"satellites":[{"PRN":1,"el":10,"az":20,"ss":30,"used":true}]"#),
    report("GST", #""lat":2.5,"lon":3,"alt":5"#),
    report("ATT", #""heading":120,"mheading":118,"rot":3"#),
  ]

  private static let extremes = [
    "1e308", "-1e308", "1e400", "-1e400", "NaN", "nan", "-0.0", "5e-324", "9223372036854775808",
    "-9223372036854775809", "1e19", "null", "\"1e308\"", "[]",
    String(repeating: "9", count: 400),
  ]

  /// Lines at and beyond the limits of every field.
  private static let extremeReports: [String] = {
    let fields = [
      "lat", "lon", "alt", "altMSL", "altHAE", "geoidSep", "eph", "epv", "epx", "epy", "speed",
      "eps", "track", "epd", "climb", "magvar", "velN", "velE", "velD", "dgpsAge", "mode",
      "status", "time", "hdop", "vdop", "pdop", "uSat", "heading", "rot",
    ]
    let numbers = fields.flatMap { field in
      extremes.flatMap { number in
        ["TPV", "SKY", "GST", "ATT"].map { name in
          report(name, #""lat":57.5,"lon":11.5,"eph":6,"\#(field)":\#(number)"#)
        }
      }
    }
    let times =
      ["0000-00-00T00:00:00Z", "-9999-01-01T00:00:00Z", "1970-01-01T00:00:00Z"]
      + [
        "9999-12-31T23:59:60.999999999999Z", "2026-06-01T99:99:99Z", "99999999999-06-01T00:00:00Z",
      ]
    let dates = times.map {
      #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#($0)","lat":57.5,"lon":11.5,"eph":6}"#
    }
    let satellites = (0..<150).map { #"{"PRN":\#($0),"el":1e9,"az":-7,"ss":1e99}"# }
    let many = report("SKY", #""satellites":[\#(satellites.joined(separator: ","))]"#)
    let endless = String(repeating: #"{"PRN":1},"#, count: 5000)
    let devices = (0..<500).map { #"{"class":"DEVICE","path":"/dev/\#($0)","activated":1}"# }
    let nesting = ["[", "{\"a\":", "[{\"class\":"].map { String(repeating: $0, count: 3000) }
    return numbers + dates + devices + nesting + [
      many, report("SKY", #""satellites":[\#(endless)]"#), "", "\u{0}\u{1}\u{7f}\r\r",
      report("TPV", #""\ud800":"\udc00\u0000","lat":"\uFFFF""#),
    ]
  }()

  /// A gpsd that sends anything.
  static let gpsd = Attack(
    name: "gpsd",
    what: "a gpsd that sends extreme, changed and endless lines, floods, and disconnects",
    witness: .answers,
    start: { program, _ in
      let peer = try HostilePeer()
      peer.set { try $0.send(greeting) }
      return try AttackedDaemon(
        program, source: ["--gpsd", "gpsd://127.0.0.1:\(peer.port)"], peers: [peer])
    }
  ) { daemon, isLong in
    let peer = daemon.peers[0]
    let seed = isLong ? UInt64.random(in: 0...UInt64.max) : 17
    let flood = Array((reports.joined(separator: "\n") + "\n").utf8)
    let conducts: [(HostilePeer.Client) throws -> Void] = [
      { client in for line in extremeReports { try client.send(line + "\n") } },
      { client in
        var fuzz = MessageFuzz(seed: seed, of: reports.map { Array($0.utf8) })
        while true { try client.send(fuzz.next() + [UInt8(ascii: "\n")]) }
      },
      { client in
        while true {
          for byte in flood {
            try client.send([byte])
            try client.pause(0.001)
          }
        }
      },
      { client in while true { try client.send(flood) } },
      { client in while true { try client.send([UInt8](repeating: 0xC3, count: 65_536)) } },
      { client in
        for n in 0... {
          try client.send(talk(n))
          try client.pause(0.001)
        }
      },
      { _ in },
    ]
    var faults: [String] = []
    for (n, conduct) in conducts.enumerated() {
      let before = peer.clients
      nonisolated(unsafe) let conduct = conduct
      peer.set { client in
        try client.send(greeting)
        try conduct(client)
      }
      if !peer.hasClient(after: before, within: 3) { faults.append("no connection \(n)") }
      Thread.sleep(forTimeInterval: isLong ? 60 : 0.5)
    }
    // Whatever it says, it does not fill the log.
    let lines = daemon.log.split(separator: "\n").count
    let most = isLong ? 300 : 60
    if lines > most { faults.append("\(lines) lines in the log, at most \(most)") }
    // A valid server is used again.
    let client = try Connection(daemon, "org.example.fixes")
    client.send([.demand(.all)])
    peer.set { client in
      try client.send(greeting + reports[1] + "\n")
      for n in 10... {
        let line = reports[2].replacingOccurrences(of: "12:00:00", with: "13:00:\(n % 60)")
        try client.send(line + "\n")
        try client.pause(0.1)
      }
    }
    if try client.line(with: "\"estimate\"", within: 5) == nil { faults.append("no estimate") }
    return Finding(
      text: "\(peer.clients) connections, \(lines) lines in the log, seed \(seed)", faults: faults)
  }

  /// What is worth a notice each time: an error, another device, another list of devices.
  private static func talk(_ n: Int) -> String {
    let device = n % 2 == 0 ? "/dev/a" : "/dev/b"
    let other = n % 2 == 0 ? "/dev/b" : "/dev/a"
    return [
      #"{"class":"ERROR","message":"fault \#(n)"}"#,
      #"{"class":"DEVICE","path":"\#(other)","activated":0}"#,
      #"{"class":"DEVICE","path":"\#(device)","activated":1}"#,
      #"{"class":"TPV","device":"\#(device)","mode":3,"lat":57.5,"lon":11.5,"eph":6}"#,
      n % 3 == 0 ? #"{"class":"DEVICES","devices":[]}"# : "",
    ].joined(separator: "\n") + "\n"
  }
}

extension Attack {
  private static let accessPoints: [DBusValue] = (1...3).map { .objectPath("/ap/\($0)") }

  /// A NetworkManager with one device and three access points.
  private static func networkManager(_ call: String) -> [DBusValue]? {
    if call.contains("RequestScan") { return nil }
    if call.contains("GetDevices") { return [.array(of: "o", [.objectPath("/device")])] }
    if call.contains("DeviceType") { return [.variant(.uint32(2))] }
    if call.contains("LastScan") { return [.variant(.int64(0))] }
    if call.contains("GetAllAccessPoints") { return [.array(of: "o", accessPoints)] }
    guard call.contains("GetAll"), let at = call.range(of: "/ap/") else {
      return BusServer.answer(call)
    }
    let properties: [String: DBusValue] = [
      "HwAddress": .string("00:1A:2B:00:00:0\(call[at.upperBound])"),
      "Ssid": .bytes(Array("street".utf8)), "Strength": .byte(70), "Frequency": .uint32(2412),
    ]
    return [.properties(properties)]
  }

  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let block = String(repeating: "x", count: 16_384)

  private static func reply(_ head: String, _ body: String) -> HostilePeer.Conduct {
    { client in
      _ = try client.receive()
      try client.send("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      try client.pause()
    }
  }

  /// Sends the first text, then the second again and again.
  private static func flood(_ first: String, _ more: String) -> HostilePeer.Conduct {
    { client in
      try client.send(first)
      while true { try client.send(more) }
    }
  }

  private static func position(_ latitude: String, _ accuracy: String) -> HostilePeer.Conduct {
    reply(ok, #"{"location":{"lat":\#(latitude),"lng":1},"accuracy":\#(accuracy)}"#)
  }

  private static let answers: [HostilePeer.Conduct] = [
    { _ in },
    { try $0.pause() },
    { client in while true { _ = try client.receive() } },
    flood("", block),
    flood(ok, "X-Long: \(block)\r\n"),
    flood(ok + "X-Endless: ", block),
    flood("", "HTTP/1.1 100 Continue\r\n\r\n"),
    flood(ok + "Content-Length: 1099511627776\r\n\r\n", block),
    flood(ok + "Content-Length: -1\r\nContent-Length: 99999999999999999999\r\n\r\n", block),
    flood(ok + "Transfer-Encoding: chunked\r\n\r\n", "4000\r\n\(block)\r\n"),
    flood(ok + "Transfer-Encoding: chunked\r\n\r\n1;", block),
    flood(ok + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n", block),
    flood(ok + "Content-Encoding: gzip\r\n\r\n", "\u{1f}\u{8b}\(block)"),
    { try $0.send(ok + "Content-Length: 500\r\n\r\n{\"location\":") },
    { client in
      for byte in Array((ok + "X: " + block).utf8) {
        try client.send([byte])
        try client.pause(0.002)
      }
    },
    reply("HTTP/1.1 307 Again\r\nLocation: /\r\n", ""),
    reply("HTTP/1.1 429 Slow\r\nRetry-After: 1e400\r\n", ""),
    reply("HTTP/1.1 503 Busy\r\nRetry-After: -9223372036854775809\r\n", ""),
    reply("HTTP/1.1 99999999999999999999 \u{0}\r\n", "{}"),
    reply(ok, String(repeating: "[", count: 60_000)),
    reply(ok, String(repeating: #"{"location":"#, count: 5000)),
    position("1e400", "10"), position("1e308", "10"), position("null", "10"),
    position("57.5", "1e-320"), position("57.5", "-1"), position("90.00000000000001", "1e308"),
  ]

  /// A service of Wi-Fi positions that answers anything.
  static let http = Attack(
    name: "http",
    what: "a service of Wi-Fi positions with endless, cut, slow, redirecting and extreme answers",
    witness: nil,
    start: { program, _ in
      let (bus, service) = (try HostilePeer(isBus: true), try HostilePeer())
      bus.set(BusServer.conduct(networkManager))
      return try AttackedDaemon(
        program, source: [], peers: [bus, service],
        policy: "wifiLocation: {url: \"http://127.0.0.1:\(service.port)/\", interval: 10}\n")
    }
  ) { daemon, isLong in
    var (faults, worst, most): ([String], Double, Double) = ([], 0, 0)
    for (n, answer) in answers.enumerated() {
      if n > 0 { try daemon.start() }
      let before = daemon.peers[1].clients
      daemon.peers[1].set(answer)
      let client = try Connection(daemon, "org.example.place")
      client.send([.demand(.all)])
      if !daemon.peers[1].hasClient(after: before, within: 5) {
        faults.append("no request \(n): \(daemon.log.suffix(200))")
      }
      Thread.sleep(forTimeInterval: isLong ? 20 : 0.1)
      let begin = MonotonicClock.now
      client.send([.registrations(id: 1)])
      if try client.line(with: "\"registrations\"") == nil { faults.append("no answer \(n)") }
      worst = max(worst, MonotonicClock.now.seconds(since: begin))
      most = max(most, daemon.peakMegabytes)
      if daemon.peers[1].clients > before + 1 { faults.append("a redirection was followed") }
      guard n < answers.count - 1 else { break }
      guard let end = daemon.end(), end <= Limits.end else {
        return Finding(text: "", faults: faults + ["no end by SIGTERM at answer \(n)"])
      }
    }
    if worst > Limits.gap { faults.append("\(format(worst)) s without an answer") }
    if most > Limits.megabytes { faults.append("\(format(most)) MB") }
    return Finding(
      text: "\(answers.count) answers, \(format(worst)) s to an answer, \(format(most)) MB",
      faults: faults)
  }
}

extension Attack {
  private static func device(_ number: Int) -> DBusValue.Entry {
    let beacon: [UInt8] = [2, 21] + [UInt8](repeating: 7, count: 16) + [0, 1, 0, 2, 0xC5]
    let data = DBusValue.dictionary(
      key: "q", value: "v", [.init(.uint16(0x4C), .variant(.bytes(beacon)))])
    return .init(
      .objectPath("/org/bluez/hci0/dev_\(number)"),
      .dictionary(
        key: "s", value: "a{sv}",
        [
          .init(
            .string("org.bluez.Device1"),
            .properties(["ManufacturerData": data, "RSSI": .int16(.min)]))
        ]))
  }

  private static let adapter = DBusValue.Entry(
    .objectPath("/org/bluez/hci0"),
    .dictionary(
      key: "s", value: "a{sv}",
      [.init(.string("org.bluez.Adapter1"), .properties(["Powered": .boolean(true)]))]))

  private static func objects(devices: Int) -> [DBusValue] {
    [
      .dictionary(
        key: "o", value: "a{sa{sv}}", [adapter] + (0..<devices).map { device($0) })
    ]
  }

  /// A BlueZ with an adapter and a number of devices.
  private static func blueZ(devices: Int) -> @Sendable (String) -> [DBusValue]? {
    let objects = objects(devices: devices)
    return { $0.contains("GetManagedObjects") ? objects : BusServer.answer($0) }
  }

  /// Signals of a sender: many devices, and very many small values.
  private static func signals(_ sender: String) -> [[UInt8]] {
    let first = device(1)
    let values = [DBusValue](repeating: .variant(.byte(0)), count: 30_000)
    let added = [first.key, first.value]
    let changed: [DBusValue] = [
      .string("org.bluez.Device1"), .properties(["RSSI": .int16(-50)]), .array(of: "s", []),
    ]
    return [
      BusServer.signal(
        sender, "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded", added),
      BusServer.signal(
        sender, "/org/bluez/hci0/dev_1", "org.freedesktop.DBus.Properties", "PropertiesChanged",
        changed),
      BusServer.signal(
        sender, "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
        [first.key, .array(of: "v", values)]),
    ]
  }

  private static func malformed(_ at: Int, _ bytes: [UInt8]) -> HostilePeer.Conduct {
    { client in
      try BusServer.serve(client, BusServer.answer) { client in
        var message = signals(BusServer.owner)[0]
        message.replaceSubrange(at..<(at + bytes.count), with: bytes)
        while true { try client.send(message) }
      }
    }
  }

  /// A system bus that sends anything, while a beacon is monitored.
  static let dBus = Attack(
    name: "d-bus",
    what: "a bus that disconnects, does not answer, and sends malformed, huge and endless messages",
    start: { program, _ in
      let bus = try HostilePeer(isBus: true)
      bus.set(BusServer.conduct(blueZ(devices: 0)))
      return try AttackedDaemon(program, peers: [bus])
    }
  ) { daemon, isLong in
    let bus = daemon.peers[0]
    let client = try Connection(daemon, "org.example.beacons")
    func start(_ number: UInt64) throws -> String? {
      let pattern = BeaconPattern(uuid: "07070707-0707-0707-0707-070707070707")
      client.send([
        .monitor(
          id: number,
          .startRegion(MonitoredRegion(identifier: "\(number)", condition: .beacon(pattern))))
      ])
      return try client.line(with: "\"id\":\(number)")
    }
    let first = try start(1) ?? "no answer"
    if first.contains("code") || first == "no answer" {
      return Finding(text: "", faults: ["no beacon can be monitored: \(first)"])
    }
    let seed = isLong ? UInt64.random(in: 0...UInt64.max) : 17
    let endless = [BusServer.owner, ":1.66"].map { sender in
      let messages = signals(sender)
      return { @Sendable (client: HostilePeer.Client) in
        while true { for message in messages { try client.send(message) } }
      }
    }
    let conducts: [HostilePeer.Conduct] = [
      { try BusServer.serve($0, BusServer.answer) { try $0.pause(0.1) } },
      BusServer.conduct(blueZ(devices: 3000)), BusServer.conduct(blueZ(devices: 20_000)),
      // Signals while a call waits, and afterwards.
      {
        try BusServer.serve(
          $0, { $0.contains("GetManagedObjects") ? [] : BusServer.answer($0) }, then: endless[0])
      },
      { try BusServer.serve($0, BusServer.answer, isSilent: true, then: endless[0]) },
      { try BusServer.serve($0, BusServer.answer, isSilent: true, then: endless[1]) },
      malformed(0, [UInt8(ascii: "B")]), malformed(3, [9]), malformed(4, [0xFF, 0xFF, 0xFF, 0x7F]),
      malformed(12, [0xFF, 0xFF, 0xFF, 0xFF]), malformed(12, [0xFF, 0xFF, 0xFF, 3]),
      { client in
        var fuzz = MessageFuzz(seed: seed, of: signals(BusServer.owner).dropLast())
        try BusServer.serve(client, BusServer.answer) { client in
          while true { try client.send(fuzz.nextBytes()) }
        }
      },
      { _ in },
      { client in while true { try client.send(block) } },
      { client in while true { try client.send("REJECTED EXTERNAL\r\nDATA 00\r\n") } },
    ]
    var unused = 0
    for (n, conduct) in conducts.enumerated() {
      let before = bus.clients
      bus.set(conduct)
      if !bus.hasClient(after: before, within: isLong ? 40 : 3) { unused += 1 }
      Thread.sleep(forTimeInterval: isLong ? 30 : n == 4 || n == 5 ? 1.5 : 0.2)
    }
    bus.set { try $0.pause() }
    _ = try start(2)
    return Finding(
      text:
        "\(bus.clients) connections, \(unused) of \(conducts.count) kinds without any, seed \(seed)"
    )
  }
}
