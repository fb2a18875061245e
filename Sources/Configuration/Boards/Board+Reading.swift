import Chips
import Glibc
import LinuxIO
import Quantities
import ReceiverProtocols

extension Board {
  /// Reads a board file.
  /// - Throws: `BoardFileError` with the line, the column and the allowed values.
  public init(path: String) throws(BoardFileError) {
    let text: String
    do {
      text = try LinuxFiles().text(of: path)
    } catch {
      let reason =
        error.isAbsence
        ? "no such file" : error.code == EISDIR ? "it is a folder" : error.reason
      throw .unreadable(path: path, reason: reason)
    }
    try self.init(yaml: text, path: path)
  }

  /// Reads a board file's text; `path` is for messages.
  public init(yaml text: String, path: String) throws(BoardFileError) {
    do throws(YAMLFault) {
      guard let root = try YAMLNode.root(of: text) else {
        throw YAMLFault(
          line: 1, column: 1, key: "",
          .other("the file is empty", expected: "board: NAME, mount, …"))
      }
      try self.init(root)
    } catch {
      throw .refused(
        path: path, line: error.line, column: error.column, found: error.problem,
        allowed: error.allowed)
    }
  }

  private init(_ root: YAMLNode) throws(YAMLFault) {
    let values = try root.values(of: [
      "board", "mount", "trim", "axes", "sensors", "receiver", "compass",
    ])
    guard let name = values["board"] else { throw root.missing("board", expected: "board: NAME") }
    self.init(name: try name.text(expected: "a name"))
    if let node = values["mount"] { mount = try node.mounting() }
    if let node = values["trim"] { trim = try node.angles() }
    if let node = values["axes"] { axes = try node.word() }
    if let node = values["sensors"] { sensors = try node.sensors(mayMirror: axes == .proven) }
    if let node = values["receiver"] { receivers = try node.receivers() }
    if let node = values["compass"] { compasses = try node.compasses(beside: receivers) }
  }
}

extension YAMLNode {
  fileprivate func missing(_ name: String, expected: String) -> YAMLFault {
    let place = key.isEmpty ? "" : " of '\(key)'"
    return fault("the key '\(name)'\(place) is missing", expected: expected)
  }

  fileprivate func number(
    _ unit: String, in range: ClosedRange<Double>
  ) throws(YAMLFault) -> Double {
    try number(in: range, expected: "\(unit) from \(range.lowerBound) to \(range.upperBound)")
  }

  // MARK: Mounts

  /// A mount: axis words, a rotation, or `auto`.
  fileprivate func mounting(mayMirror: Bool = false) throws(YAMLFault) -> Mounting {
    if let text {
      guard text == "auto" else {
        throw fault(expected: "{x: …, y: …, z: …}, {rotation: {…}} or auto")
      }
      return .automatic
    }
    let values = try values(of: ["x", "y", "z", "rotation"])
    if let rotation = values["rotation"] {
      _ = try self.values(of: ["rotation"])
      return .rotation(try rotation.angles())
    }
    let directions = AxisDirection.allCases.map(\.rawValue).joined(separator: ", ")
    func axis(_ name: String) throws(YAMLFault) -> AxisDirection {
      guard let value = values[name] else {
        throw missing(name, expected: "x, y and z, each one of \(directions)")
      }
      return try value.word()
    }
    let (x, y, z) = (try axis("x"), try axis("y"), try axis("z"))
    guard let mount = AxisMount(x: x, y: y, z: z, mayMirror: mayMirror) else {
      throw fault(
        "x \(x), y \(y), z \(z) is not a right-handed set of axes",
        expected: mayMirror
          ? "perpendicular directions"
          : "perpendicular directions with z the cross product of x and y; of mirrored axes that are "
            + "proven, 'axes: proven' beside 'sensors', and 'mount' of a magnetometer or 'field-mount', 'rotation-mount', 'force-mount'"
      )
    }
    return .axes(mount)
  }

  /// Heading, pitch and roll in degrees, each zero by default.
  fileprivate func angles() throws(YAMLFault) -> AttitudeAngles {
    let values = try values(of: ["heading", "pitch", "roll"])
    func angle(_ name: String) throws(YAMLFault) -> Angle {
      guard let value = values[name] else { return .zero }
      let degrees = try value.number(in: -180...180, expected: "degrees from -180 to 180")
      return Angle(degrees: degrees)
    }
    return AttitudeAngles(
      heading: try angle("heading"), pitch: try angle("pitch"), roll: try angle("roll"))
  }

  // MARK: Sensors

  fileprivate func sensors(mayMirror: Bool) throws(YAMLFault) -> [Board.Sensor] {
    guard let list else {
      throw fault(expected: "a list: - {chip: …, address: …}, one line a chip")
    }
    var sensors: [Board.Sensor] = []
    for entry in list {
      let sensor = try entry.sensor(mayMirror: mayMirror)
      if let other = sensors.first(where: {
        $0.bus == sensor.bus && ($0.address == sensor.address || sensor.isSerial)
          && (!sensor.chip.isOfKernel || $0.chip == sensor.chip)
      }) {
        guard !sensor.isSerial else {
          throw entry.fault(
            "\(sensor.chip.rawValue) and \(other.chip.rawValue) are both on \(sensor.bus)",
            expected: "one module a serial port")
        }
        throw entry.fault(
          sensor.address == 0
            ? "\(sensor.chip.rawValue) and \(other.chip.rawValue) are both on \(sensor.bus)"
            : "\(sensor.chip.rawValue) and \(other.chip.rawValue) both have address "
              + "\(Hexadecimal.text(sensor.address)) of \(sensor.bus)",
          expected: "one chip an address: change one by its address pin, or use another bus")
      }
      sensors.append(sensor)
    }
    return sensors
  }

  private func sensor(mayMirror: Bool) throws(YAMLFault) -> Board.Sensor {
    let values = try values(of: [
      "chip", "kernel", "measures", "bus", "address", "spi-clock", "mount", "rate", "latency",
      "data-ready", "field-range", "rotation-range", "force-range", "attitude", "image", "baud",
      "field-mount", "rotation-mount", "force-mount",
    ])
    let chip = try chip(values)
    var sensor = Board.Sensor(chip: chip)
    if let node = values["bus"] { sensor.bus = try node.bus(of: chip) }
    if chip.addresses.isEmpty, !sensor.isSerial, !chip.isOfKernel {
      throw (values["bus"] ?? self).fault(
        "\(chip.rawValue) is on no I2C bus", expected: "bus: a serial port, such as /dev/serial0")
    }
    if let node = values["attitude"] {
      guard chip.hasAttitude, try node.text(expected: "module") == "module" else {
        throw node.fault(
          expected: chip.hasAttitude
            ? "module" : "no attitude, as \(chip.rawValue) computes none")
      }
      sensor.settings.usesOwnAttitude = true
    }
    if let node = values["image"] {
      guard chip == .bmi270 else { throw node.fault(expected: "no image for \(chip.rawValue)") }
      sensor.imagePath = try node.text(expected: "a file")
    }
    if let node = values["baud"] {
      guard sensor.isSerial else { throw node.fault(expected: "no baud rate on an I2C bus") }
      sensor.baud = try node.baud()
    }
    let isSPI = Board.isSPI(sensor.bus)
    if isSPI { sensor.address = 0 }
    if let node = values["address"] {
      guard !isSPI else {
        throw node.fault("'address' of a chip on SPI", expected: "bus alone: its chip select")
      }
      sensor.address = try node.address(of: chip)
    }
    if let node = values["spi-clock"] {
      guard isSPI, let fastest = chip.spi?.fastestHertz else {
        throw node.fault(
          "'spi-clock' of a chip that is not on SPI", expected: "bus: /dev/spidevN.M")
      }
      sensor.spiHertz = UInt32(
        clamping: Int(bounded: try node.number("hertz", in: 10_000...Double(fastest))))
    }
    if let node = values["mount"] {
      sensor.mount = try node.mounting(mayMirror: mayMirror && chip.quantity == .field)
      // The forward direction is that of the whole board.
      if sensor.mount == .automatic { throw node.fault(expected: "axis words or a rotation") }
    }
    for (quantity, key) in Board.Sensor.mountKeys {
      guard let node = values[key] else { continue }
      guard chip.measures(quantity == .field ? .field : .inertia) else {
        throw node.fault("'\(key)' of \(chip.rawValue)", expected: "a quantity that it measures")
      }
      let mount = try node.mounting(mayMirror: mayMirror)
      if mount == .automatic { throw node.fault(expected: "axis words or a rotation") }
      sensor.mounts[quantity] = mount
    }
    if let node = values["latency"] {
      sensor.latencySeconds = try node.number("seconds", in: 0...1)
    }
    if let node = values["data-ready"] {
      sensor.dataReadyLine = try node.text(expected: "the name of a GPIO line")
      sensor.settings.drivesDataReadyLine = true
    }
    if let node = values["rate"] {
      sensor.settings.rateHertz = try node.number("samples a second", in: 0.1...2000)
    }
    if let node = values["field-range"] {
      sensor.settings.fieldMicrotesla = try node.number("microtesla", in: 50...5000)
    }
    if let node = values["rotation-range"] {
      let degrees = try node.number("degrees a second", in: 100...4000)
      sensor.settings.angularRateRadiansPerSecond = degrees * .pi / 180
    }
    if let node = values["force-range"] {
      let gravities = try node.number("g", in: 1...32)
      sensor.settings.specificForceMetresPerSecondSquared = gravities * 9.806_65
    }
    return sensor
  }

  /// The chip of an entry: one of the catalogue, or one of a kernel driver.
  private func chip(_ values: [String: YAMLNode]) throws(YAMLFault) -> ChipModel {
    if let node = values["kernel"] {
      if let chip = values["chip"] {
        throw chip.fault("'chip' beside 'kernel'", expected: "one of the two")
      }
      guard let measures = values["measures"] else {
        throw missing("measures", expected: "measures: field, inertia or pressure")
      }
      return .ofKernel(
        try node.text(expected: "the kernel's name of the chip, as lodestar probe has it"),
        try measures.word())
    }
    let names = ChipModel.allCases.map(\.rawValue).joined(separator: ", ")
    guard let node = values["chip"] else {
      throw missing("chip", expected: "chip: one of \(names); or kernel: NAME")
    }
    if let measures = values["measures"] {
      throw measures.fault("'measures' of a chip", expected: "'measures' beside 'kernel' only")
    }
    let written = node.text ?? "?"
    guard let chip = ChipModel(rawValue: written.uppercased()) else {
      throw node.fault(
        "unknown chip '\(written)'", expected: names + "; or kernel: NAME for a kernel's driver")
    }
    return chip
  }

  private func bus(of chip: ChipModel) throws(YAMLFault) -> String {
    if chip.isOfKernel {
      return try text(expected: "where the kernel has it: /dev/i2c-1, spi0.0")
    }
    let expected =
      "an I2C bus: /dev/i2c-N, such as \(Board.usualBus), or an SPI device: /dev/spidevN.M"
      + (chip.serialBaud == nil ? "" : ", or a serial port, such as /dev/serial0")
    let text = try text(expected: expected)
    if chip.serialBaud != nil, text.hasPrefix("/dev/"), !text.hasPrefix("/dev/i2c-") {
      return text
    }
    let name = text.hasPrefix("/dev/") ? String(text.dropFirst("/dev/".count)) : text
    if name.wholeMatch(of: /spidev[0-9]+\.[0-9]+/) != nil {
      guard chip.spi != nil else {
        let isInside = chip == .ak8963 || chip == .ak09916
        throw fault(
          isInside
            ? "\(chip.rawValue) on SPI: it is behind the I2C master of its motion unit, which is not supported"
            : "\(chip.rawValue) has no SPI with four wires",
          expected: isInside ? "the module wired by I2C, or a kernel driver for it" : "an I2C bus")
      }
      return "/dev/\(name)"
    }
    guard name.hasPrefix("i2c-"), !name.dropFirst("i2c-".count).isEmpty else {
      throw fault(expected: expected)
    }
    return "/dev/\(name)"
  }

  private func address(of chip: ChipModel) throws(YAMLFault) -> UInt8 {
    guard let value = integer, let address = UInt8(exactly: value),
      chip.isOfKernel ? 0x03...0x77 ~= address : chip.addresses.contains(address)
    else {
      throw fault(
        expected: chip.isOfKernel
          ? "an address from 0x03 to 0x77"
          : chip.addresses.map(Hexadecimal.text).joined(separator: ", "))
    }
    return address
  }

  // MARK: The receivers

  /// One receiver, or a list.
  fileprivate func receivers() throws(YAMLFault) -> [Board.Receiver] {
    guard let list else { return [try receiver()] }
    var receivers: [Board.Receiver] = []
    for entry in list {
      let receiver = try entry.receiver()
      if receivers.contains(where: { $0.port == receiver.port }) {
        throw entry.fault(
          "two receivers on \(receiver.port)",
          expected: "one receiver a port; several talkers on its line need no entry")
      }
      if receivers.contains(where: { $0.title == receiver.title }) {
        throw entry.fault("two receivers named \(receiver.title)", expected: "a name for each")
      }
      if let pulse = receiver.pulse,
        receivers.contains(where: { $0.pulse?.source == pulse.source })
      {
        throw entry.fault(
          "two receivers with the pulse \(pulse.source)", expected: "one receiver a pulse")
      }
      receivers.append(receiver)
    }
    return receivers
  }

  /// A name for display.
  private func title() throws(YAMLFault) -> String {
    let expected = "a name of at most 40 characters"
    let name = try text(expected: expected)
    guard name.count <= 40 else { throw fault(expected: expected) }
    return name
  }

  /// A preference: 1 before 2.
  private func priority() throws(YAMLFault) -> Int {
    let expected = "a number from 1, the most preferred, to 99"
    guard let value = integer, 1...99 ~= value else { throw fault(expected: expected) }
    return value
  }

  private func receiver() throws(YAMLFault) -> Board.Receiver {
    let values = try values(of: [
      "name", "priority",
      "port", "baud", "pps", "set-up", "rate", "model", "messages", "set-baud", "corrections",
      "rtcm-output", "antenna", "baseline", "talkers", "assist", "sentences", "systems",
      "elevation-mask",
      "base", "two-antennas",
    ])
    guard let port = values["port"] else { throw missing("port", expected: "port: /dev/…") }
    var receiver = Board.Receiver(port: try port.text(expected: "a device"), baud: nil)
    if let form = SourceAddress.expectedForm(of: receiver.port) { throw port.fault(expected: form) }
    if receiver.feed != nil || receiver.signalK != nil || receiver.can != nil {
      // Nothing is sent to it, and its line has no speed and no pulse.
      let allowed =
        ["name", "priority", "port", "antenna", "baseline"]
        + (receiver.feed == nil ? [] : ["talkers"])
      if let node = values.first(where: { !allowed.contains($0.key) })?.value {
        throw node.fault(
          "'\(node.key)' of a receiver in the network",
          expected: allowed.joined(separator: ", ") + " alone")
      }
    }
    if I2CReceiver.isNamed(by: receiver.port) {
      guard receiver.i2c != nil else { throw port.fault(expected: I2CReceiver.form) }
    }
    if Board.isOnBus(receiver.port), let node = values["baud"] ?? values["set-baud"] {
      throw node.fault(
        "'\(node.key)' of a receiver on \(receiver.isOnSPI ? "SPI" : "I2C")",
        expected: "no baud rate")
    }
    receiver.name = try values["name"]?.title()
    receiver.priority = try values["priority"]?.priority()
    if let node = values["baud"] { receiver.baud = try node.baud() }
    if let node = values["pps"] { receiver.pulse = try node.pulse() }
    if let node = values["set-up"] { receiver.setUp.manner = try node.word() }
    if let node = values["rate"] {
      // The fastest supported receivers have 25 solutions a second; below 1 the port search would
      // time out.
      receiver.setUp.rateHertz = try node.number("solutions a second", in: 1...25)
    }
    if let node = values["model"] {
      receiver.setUp.model = try node.word(UBXDynamicModel.allCases.map { ($0.word, $0) })
    }
    if let node = values["messages"] { receiver.setUp.messages = try node.word() }
    if let node = values["sentences"] {
      let names = OutputSentence.allCases.map { ($0.rawValue, $0) }
      receiver.setUp.sentences = try node.words(names)
    }
    if let node = values["systems"] {
      let systems = try node.words(Constellation.allCases.map { ($0.word, $0) })
      guard systems.contains(where: { ![.sbas, .qzss].contains($0) }) else {
        throw node.fault(
          "no satellite system for a position", expected: "gps, glonass, galileo, beidou or navic")
      }
      receiver.setUp.systems = systems
    }
    if let node = values["elevation-mask"] {
      receiver.setUp.maskDegrees = try node.number("degrees", in: 0...60)
    }
    if let node = values["base"] { receiver.setUp.base = try node.base() }
    if let node = values["two-antennas"] {
      guard let truth = node.truth else { throw node.fault(expected: "true or false") }
      receiver.setUp.sendsHeading = truth
    }
    if let node = values["set-baud"] { receiver.setUp.baud = try node.baud() }
    if let node = values["corrections"] {
      receiver.corrections = try node.correctionSource(beside: receiver.port)
    }
    if let node = values["rtcm-output"] { receiver.correctionsOutput = try node.stream() }
    if let node = values["assist"] {
      receiver.assists = try node.word([("yes", true), ("no", false)])
    }
    if let node = values["antenna"] { receiver.antenna = try node.antenna() }
    if let node = values["baseline"] {
      receiver.baseline = try node.baseline()
    }
    if let node = values["talkers"] {
      let expected = "talkers of two letters, such as [GP, AI]"
      guard let list = node.list else { throw node.fault(expected: expected) }
      for item in list {
        let text = try item.text(expected: expected)
        guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
          throw item.fault(expected: expected)
        }
        receiver.talkers.append(text)
      }
    }
    return receiver
  }

  /// The direction alone, or direction, length and accuracy.
  private func baseline() throws(YAMLFault) -> Board.Baseline {
    var baseline = Board.Baseline()
    baseline.isStated = true
    if text != nil {
      baseline.direction = try baselineDirection()
      return baseline
    }
    let values = try values(of: ["direction", "length", "accuracy"])
    if let node = values["direction"] { baseline.direction = try node.baselineDirection() }
    if let node = values["length"] {
      baseline.lengthMetres = try node.number("metres", in: 0.1...AntennaVector.longestMetres)
    }
    if let node = values["accuracy"] {
      // The file has the bound of 95 %, as everywhere.
      baseline.accuracy = Angle(degrees: try node.number("degrees", in: 0.01...45) / 2)
    }
    return baseline
  }

  private func baselineDirection() throws(YAMLFault) -> Board.Baseline.Direction {
    if text == "learn" { return .learnt }
    return .stated(Angle(degrees: try number("degrees, or learn,", in: -180...360)))
  }

  /// A list of words.
  private func words<Value>(_ words: [(String, Value)]) throws(YAMLFault) -> [Value] {
    let expected = "a list of " + words.map { $0.0 }.joined(separator: ", ")
    guard let list else { throw fault(expected: expected) }
    var found: [Value] = []
    for item in list { found.append(try item.word(words)) }
    return found
  }

  /// A base station: `no`, `moving`, its survey, or its place.
  private func base() throws(YAMLFault) -> BaseStation {
    let forms =
      "no, moving, {survey: SECONDS[, accuracy: METRES]} or {latitude: …, longitude: …, height: …}"
    if let text {
      if text == "moving" { return .moving }
      guard truth == false else { throw fault(expected: forms) }
      return .rover
    }
    let values = try values(of: ["survey", "accuracy", "latitude", "longitude", "height"])
    func number(_ name: String, _ unit: String, _ range: ClosedRange<Double>) throws(YAMLFault)
      -> Double
    {
      guard let node = values[name] else { throw missing(name, expected: forms) }
      return try node.number(unit, in: range)
    }
    if let node = values["survey"] {
      if let other = ["latitude", "longitude", "height"].compactMap({ values[$0] }).first {
        throw other.fault("'\(other.name)' beside 'survey'", expected: forms)
      }
      let seconds = try node.number("seconds", in: BaseStation.durations)
      return .survey(
        seconds: Int(bounded: seconds.rounded()),
        metres: try values["accuracy"]?.number("metres", in: BaseStation.limits))
    }
    return .fixed(
      latitude: try number("latitude", "degrees", -90...90),
      longitude: try number("longitude", "degrees", -180...180),
      height: try number("height", "metres above the ellipsoid", BaseStation.heights))
  }

  /// Forward, right and up in metres, each zero by default.
  private func antenna() throws(YAMLFault) -> Board.AntennaPlace {
    let values = try values(of: ["forward", "right", "up"])
    func metres(_ name: String) throws(YAMLFault) -> Double {
      guard let value = values[name] else { return 0 }
      return try value.number("metres", in: -100...100)
    }
    return Board.AntennaPlace(
      forward: try metres("forward"), right: try metres("right"), up: try metres("up"))
  }

  /// One compass, or a list.
  fileprivate func compasses(
    beside receivers: [Board.Receiver]
  ) throws(YAMLFault) -> [Board.Compass] {
    guard let list else { return [try compass(beside: receivers)] }
    var compasses: [Board.Compass] = []
    for entry in list {
      let compass = try entry.compass(beside: receivers)
      if let other = compasses.first(where: { $0.port == compass.port || $0.title == compass.title }
      ) {
        throw entry.fault(
          "two compasses \(other.port == compass.port ? "on" : "named") \(compass.title)",
          expected: "a port and a name for each")
      }
      compasses.append(compass)
    }
    return compasses
  }

  private func compass(beside receivers: [Board.Receiver]) throws(YAMLFault) -> Board.Compass {
    let values = try values(of: ["name", "priority", "port", "baud", "accuracy"])
    var compass = Board.Compass()
    if let node = values["port"] {
      let port = try node.text(expected: "a device, \(SourceAddress.form)")
      if let form = SourceAddress.expectedForm(of: port) { throw node.fault(expected: form) }
      guard !receivers.contains(where: { $0.port == port }) else {
        throw node.fault(
          "the receiver has the same port", expected: "no port, for the receiver's line")
      }
      compass.port = port
    } else if receivers.isEmpty {
      throw missing("port", expected: "port: /dev/… or \(SentenceFeed.form)")
    }
    compass.name = try values["name"]?.title()
    compass.priority = try values["priority"]?.priority()
    if let node = values["baud"] { compass.baud = try node.baud() }
    if let node = values["accuracy"] {
      compass.accuracy = Angle(degrees: try node.number("degrees", in: 0.1...90))
    }
    return compass
  }

  private func baud() throws(YAMLFault) -> Int {
    let rates = [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
    guard let value = integer, rates.contains(value) else {
      throw fault(expected: rates.map(String.init).joined(separator: ", "))
    }
    return value
  }

  /// A pulse: only its source, or a mapping.
  private func pulse() throws(YAMLFault) -> Board.Pulse {
    let what = "a source of pulses, such as /dev/pps0 or GPIO18"
    if text != nil { return Board.Pulse(source: try text(expected: what)) }
    let values = try values(of: ["source", "edge", "delay"])
    guard let source = values["source"] else {
      throw missing("source", expected: "source: /dev/pps0 or a GPIO line's name")
    }
    var pulse = Board.Pulse(source: try source.text(expected: what))
    if let node = values["edge"] { pulse.edge = try node.word() }
    if let node = values["delay"] {
      pulse.messageDelaySeconds = try node.number("seconds", in: -1...2.5)
    }
    return pulse
  }

  /// A source of corrections: only its origin, or a mapping.
  private func correctionSource(beside port: String) throws(YAMLFault) -> Board.CorrectionSource {
    if text != nil {
      let source = try correctionOrigin(baud: nil, mountPoint: nil)
      return source
    }
    let values = try values(of: [
      "source", "mount-point", "credentials", "certificates", "version", "send-position", "timeout",
      "baud",
    ])
    guard let node = values["source"] else {
      throw missing("source", expected: "source: \(Board.CorrectionSource.form)")
    }
    let baud = try values["baud"]?.baud()
    let mountPoint = try values["mount-point"]?.mountPoint()
    var source = try node.correctionOrigin(baud: baud, mountPoint: mountPoint)
    if case .serial(port, _) = source.origin {
      throw node.fault("the receiver has the same port", expected: "another port")
    }
    if case .file = source.origin, let node = values["timeout"] {
      throw node.fault("'timeout' of a file", expected: "no timeout")
    }
    if let node = values["timeout"] {
      source.timeoutSeconds = try node.number("seconds", in: Board.CorrectionSource.timeouts)
    }
    guard case .ntrip(var ntrip) = source.origin else {
      let keys = ["mount-point", "credentials", "certificates", "version", "send-position"]
      if let node = keys.compactMap({ values[$0] }).first {
        throw node.fault(
          "'\(node.name)' of a source without NTRIP", expected: "source: \(NTRIPSource.form)")
      }
      return source
    }
    if let node = values["baud"] {
      throw node.fault("'baud' of a source in the network", expected: "no baud rate")
    }
    if let node = values["credentials"] {
      let path = try node.text(expected: "a file with USER:PASSWORD")
      guard !NTRIPSource.isPassword(path) else {
        throw node.fault(
          "a password in place of its file", expected: "credentials: /etc/lodestar/ntrip")
      }
      ntrip.credentialsPath = path
    }
    if let node = values["certificates"] {
      guard ntrip.isEncrypted else {
        throw node.fault("'certificates' without TLS", expected: "source: ntrips://…")
      }
      ntrip.certificatesPath = try node.text(expected: "a file with certificates (PEM)")
    }
    if let node = values["version"] {
      ntrip.version = try node.word(NTRIPSource.Version.allCases.map { ($0.rawValue, $0) })
    }
    if let node = values["send-position"] {
      ntrip.positionIntervalSeconds = try node.number(
        "seconds", in: NTRIPSource.positionIntervals)
    }
    source.origin = .ntrip(ntrip)
    return source
  }

  private func mountPoint() throws(YAMLFault) -> NTRIPSource.MountPoint {
    let text = try text(expected: "the name of a mount point, or nearest")
    guard let mountPoint = NTRIPSource.MountPoint(text) else {
      throw fault(
        expected:
          "a mount point of the caster, or nearest; 'lodestar corrections --list' lists them")
    }
    return mountPoint
  }

  private func correctionOrigin(
    baud: Int?, mountPoint: NTRIPSource.MountPoint?
  ) throws(YAMLFault) -> Board.CorrectionSource {
    let text = try text(expected: Board.CorrectionSource.form)
    guard !NTRIPSource.hasCredentials(text) else {
      throw fault(
        "a password in the board file, which every user can read",
        expected: "credentials: a file with USER:PASSWORD")
    }
    if baud == nil, Board.CorrectionSource.isSerial(text) {
      throw fault(
        "a serial port without 'baud'", expected: "corrections: {source: \(text), baud: …}")
    }
    guard var source = Board.CorrectionSource(text, baud: baud) else {
      throw fault(expected: Board.CorrectionSource.form)
    }
    guard case .ntrip(var ntrip) = source.origin else { return source }
    if let mountPoint {
      guard ntrip.mountPoint == nil else {
        throw fault("a mount point beside 'mount-point'", expected: "one of the two")
      }
      ntrip.mountPoint = mountPoint
      source.origin = .ntrip(ntrip)
    }
    guard ntrip.mountPoint != nil else {
      throw fault(
        "no mount point",
        expected:
          "\(NTRIPSource.form), or mount-point: nearest; 'lodestar corrections --list' lists them")
    }
    return source
  }

  private func stream() throws(YAMLFault) -> Board.Stream {
    let expected = "a file, or tcp://HOST:PORT"
    let text = try text(expected: expected)
    guard text.contains("://") else { return .file(text) }
    guard case .tcp(let host, let port) = SentenceFeed(text) else {
      throw fault(expected: expected)
    }
    return .tcp(host: host, port: port)
  }
}
