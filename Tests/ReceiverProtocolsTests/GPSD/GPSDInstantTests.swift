import Quantities
import ReceiverProtocols
import TestSupport
import Testing

@Suite("gpsd's instants and devices", .timeLimit(.minutes(30)))
struct GPSDInstantTests {
  /// A Furuno through gpsd 3.22: the daemon reports one instant five times.
  @Test("An instant in several reports is revised where a report adds something")
  func pieces() throws {
    var reading = GPSDReading()
    let head = #"{"class":"TPV","device":"/dev/a","status":2,"mode":"#
    let time = #","time":"2022-07-31T12:02:13.000Z","ept":0.005"#
    let place = time + #","lat":59.950103333,"lon":11.010715000"#
    let whole =
      head + "3" + place + #","altHAE":208.4000,"altMSL":168.9000,"epv":5.750,"geoidSep":39.500}"#
    reading.push(head + "2" + place + #","track":0.0000,"speed":0.000}"#)
    reading.push(head + "1" + time + "}", after: 0.1)
    reading.push(head + "1" + time + "}", after: 0.1)
    reading.push(whole, after: 0.1)
    reading.push(whole, after: 0.1)
    let epochs = reading.epochs
    try #require(epochs.count == 2)
    #expect(epochs[0].dimension == .two && !epochs[0].isRevision)
    #expect(epochs[1].dimension == .three && epochs[1].isRevision)
    // The values of the first report remain, and so does the timestamp of the instant.
    #expect(epochs[1].fix.speedMetresPerSecond == 0 && epochs[1].fix.course?.degrees == 0)
    #expect(epochs[1].fix.timestamp == epochs[0].fix.timestamp)
    #expect(reading.counts.repeated == 3)
  }

  @Test("A fix that is lost while the device's time stands still is reported lost after a second")
  func standingClock() {
    var reading = GPSDReading()
    reading.push(tpv("/dev/a", second: 0))
    reading.push(tpv("/dev/a", second: 0, mode: 1), after: 0.5)
    #expect(reading.epochs.map(\.fix.kind) == [.threeDimensional])
    reading.push(tpv("/dev/a", second: 0, mode: 1), after: 0.6)
    #expect(reading.epochs.map(\.fix.kind) == [.threeDimensional, .none])
  }

  @Test("A fix without a position is counted and not reported")
  func withoutPlace() {
    var reading = GPSDReading()
    reading.push(#"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-06-01T12:00:00Z"}"#)
    #expect(reading.epochs.isEmpty && reading.counts.withoutPlace == 1)
    reading.push(tpv("/dev/a", second: 0))
    #expect(reading.epochs.count == 1 && reading.epochs.first?.isRevision == false)
  }

  @Test("One device is used at a time: a better one replaces it after a delay, a lost one at once")
  func choice() {
    var reading = GPSDReading()
    reading.push(
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":"2026-06-01T12:00:00Z"},"#
        + #"{"class":"DEVICE","path":"/dev/b","activated":"2026-06-01T12:00:00Z"}]}"#)
    #expect(reading.decoder.hasDeviceList && reading.decoder.devices.count == 2)
    reading.push(tpv("/dev/a", second: 0, mode: 1))
    #expect(reading.deviceInUse == "/dev/a")
    // A device with a fix replaces one that never had one.
    for second in 0..<4 { reading.push(tpv("/dev/b", second: second), after: 1) }
    #expect(reading.deviceInUse == "/dev/b" && reading.counts.otherDevices == 0)
    // The device with the better kind of fix replaces it after ten seconds.
    for second in 4..<14 {
      reading.push(tpv("/dev/b", second: second), after: 0.5)
      if second < 11 { #expect(reading.deviceInUse == "/dev/b") }
      reading.push(tpv("/dev/a", second: second, status: 3), after: 0.5)
    }
    #expect(reading.deviceInUse == "/dev/a")
    let names = reading.decoder.sources.map(\.name)
    #expect(names == ["/dev/a", "/dev/b"])
    #expect(reading.decoder.sources.comparison == ["/dev/b is 0 m from /dev/a"])
    reading.push(tpv("/dev/b", second: 14), after: 0.1)
    #expect(reading.deviceInUse == "/dev/a")
    reading.push(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#)
    #expect(reading.decoder.deviceInUse == nil)
    reading.push(tpv("/dev/b", second: 15), after: 1)
    #expect(reading.deviceInUse == "/dev/b")
    // Silent for more than five seconds.
    reading.push(tpv("/dev/a", second: 20), after: 5.1)
    #expect(reading.deviceInUse == "/dev/a")
  }

  @Test(
    "Two devices of different age in one stream: no epoch joins them, and time never goes back",
    arguments: Array(UInt64(1)...200))
  func interleavedDevices(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var reading = GPSDReading()
    let lag = Int.random(in: 0...3, using: &random)
    let errors = (0..<2).map { _ in Double(Int.random(in: 1...9, using: &random)) }
    let offset = Double.random(in: 0..<0.9, using: &random)
    for second in 0..<59 {
      for device in [0, 1].shuffled(using: &random) {
        let phase = (second / 12 + device) % 4
        if phase == 3, seed % 2 == 0 { continue }
        let mode = phase == 1 && seed % 3 == 0 ? 1 : 3
        let path = ["/dev/a", "/dev/b"][device]
        if Bool.random(using: &random) {
          reading.push(
            #"{"class":"SKY","device":"\#(path)","hdop":\#(device + 1).5,"satellites":[]}"#)
        }
        reading.push(
          tpv(
            path, second: max(0, second - device * lag), mode: mode,
            latitude: 57.5 + Double(device) * 0.001,
            others: #","eph":\#(errors[device]),"speed":\#(device).25"#),
          after: device == 0 ? 1 - offset : offset)
      }
    }
    var (newest, changes, last) = (UTCTime?.none, 0, Int?.none)
    for epoch in reading.epochs {
      if let utc = epoch.fix.utc {
        if let newest { #expect(utc.seconds(since: newest) >= 0, "seed \(seed)") }
        newest = utc
      }
      guard let position = epoch.fix.position else { continue }
      let device = position.latitude.degrees > 57.5005 ? 1 : 0
      #expect(epoch.fix.horizontalAccuracyMetres == errors[device], "seed \(seed)")
      #expect(epoch.fix.speedMetresPerSecond == Double(device) + 0.25, "seed \(seed)")
      if let dilution = epoch.fix.horizontalDilution {
        #expect(dilution == Double(device) + 1.5, "seed \(seed)")
      }
      if let last, last != device { changes += 1 }
      last = device
    }
    #expect(last != nil, "seed \(seed)")
    // Outages begin at most once in 12 s, and a better device returns after at least 10 s.
    #expect(reading.epochs.count > 30 && changes <= 10, "seed \(seed): \(changes)")
  }

  @Test("A device whose time stands still is dropped and named")
  func frozenDevice() {
    var reading = GPSDReading()
    for second in 0..<20 {
      let error = #","eph":2.0"#
      reading.push(tpv("/dev/a", second: min(second, 8), others: error), after: 0.5)
      reading.push(
        tpv("/dev/b", second: second, latitude: 57.6, others: #","eph":9.0"#), after: 0.5)
    }
    #expect(reading.deviceInUse == "/dev/b")
    #expect(reading.decoder.sources.faults == ["/dev/a frozen: its time stands still"])
  }

  @Test("Only the requested device is used")
  func asked() {
    var reading = GPSDReading(device: "/dev/b")
    reading.push(tpv("/dev/a", second: 0))
    reading.push(#"{"class":"ATT","device":"/dev/a","heading":10}"#)
    #expect(reading.reports.isEmpty && reading.counts.otherDevices == 2)
    // The same path with other JSON escapes.
    reading.push(tpv(#"\/dev\/\u0062"#, second: 0))
    #expect(reading.epochs.count == 1 && reading.deviceInUse == "/dev/b")
  }

  @Test("Headings come from a compass on another device while fixes come from the receiver")
  func compass() {
    var reading = GPSDReading()
    reading.push(tpv("/dev/gps", second: 0))
    reading.push(#"{"class":"ATT","device":"/dev/compass","mheading":10}"#)
    reading.push(#"{"class":"ATT","device":"/dev/gps","heading":50}"#)
    reading.push(tpv("/dev/gps", second: 1), after: 1)
    #expect(reading.headings.count == 1 && reading.epochs.count == 2)
    reading.push(#"{"class":"ATT","device":"/dev/gps","heading":50}"#, after: 5)
    #expect(reading.headings.count == 2)
  }

  @Test("A device list replaces all devices, except for a chained daemon's list")
  func lists() {
    var reading = GPSDReading()
    func active() -> [String] {
      reading.decoder.devices.filter(\.isActive).map { String(decoding: $0.path, as: UTF8.self) }
    }
    reading.push(tpv("/dev/a", second: 0))
    reading.push(
      #"{"class":"DEVICES","remote":"gpsd://far","devices":[{"path":"/dev/r","activated":"x"}]}"#)
    #expect(active() == ["/dev/a", "/dev/r"])
    reading.push(#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/c"}]}"#)
    #expect(active() == [] && reading.decoder.devices.count == 3)
    #expect(reading.deviceInUse == nil)
    // The list of devices is limited, whatever the stream contains.
    for number in 0..<100 { reading.push(tpv("/dev/x\(number)", second: number % 60)) }
    #expect(reading.decoder.devices.count == 16)
  }

  @Test("The daemon's version, errors and other objects are decoded and counted")
  func daemon() {
    var reading = GPSDReading()
    reading.push(
      #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#)
    reading.push(#"{"class":"ERROR","message":"Unrecognized request '?FOO'"}"#)
    reading.push(#"{"class":"PPS","device":"/dev/a","real_sec":1330212592,"precision":-3}"#)
    reading.push(#"{"class":"WATCH","enable":true,"json":true}"#)
    let version = reading.decoder.version
    #expect(version?.release == Array("3.22".utf8) && version?.major == 3 && version?.minor == 14)
    #expect(version?.isLodestar == false)
    #expect(reading.decoder.complaint == Array("Unrecognized request '?FOO'".utf8))
    #expect(reading.counts.errors == 1 && reading.counts.otherClasses == 1)
    #expect(reading.counts.accepted == 4 && reading.counts.rejected == 0)
    reading.decoder.disconnect()
    #expect(reading.decoder.version == nil && reading.decoder.devices.isEmpty)
    reading.push(#"{"class":"VERSION","release":"3.22","rev":"3.22 (Lodestar)","proto_major":3}"#)
    #expect(reading.decoder.version?.isLodestar == true)
  }
}
