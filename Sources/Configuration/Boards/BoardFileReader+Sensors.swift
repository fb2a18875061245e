import Chips
import Yams

extension BoardFileReader {
  /// The list of sensors.
  func sensors(_ node: Node) throws(BoardFileError) -> [Board.Sensor] {
    guard let list = node.sequence else {
      throw refusal(node, "'sensors' is not a list", "- {chip: …, address: …}, one line a chip")
    }
    var sensors: [Board.Sensor] = []
    for entry in list {
      let sensor = try sensor(entry)
      if let other = sensors.first(where: {
        $0.bus == sensor.bus && $0.address == sensor.address
      }) {
        throw refusal(
          entry,
          "\(sensor.chip.rawValue) and \(other.chip.rawValue) both have address "
            + "\(Hexadecimal.text(sensor.address)) of \(sensor.bus)",
          "one chip an address: change one by its address pin, or use another bus")
      }
      sensors.append(sensor)
    }
    return sensors
  }

  private func sensor(_ node: Node) throws(BoardFileError) -> Board.Sensor {
    let keys = try mapping(
      node,
      allowed: [
        "chip", "bus", "address", "mount", "rate", "latency", "data-ready", "field-range",
        "rotation-range", "force-range",
      ], called: "a sensor")
    let names = ChipModel.allCases.map(\.rawValue).joined(separator: ", ")
    guard let chipNode = keys["chip"] else {
      throw refusal(node, "the key 'chip' of the sensor is missing", "chip: one of \(names)")
    }
    let written = (chipNode.string ?? "").uppercased()
    guard let chip = ChipModel(rawValue: written) else {
      throw refusal(chipNode, "unknown chip '\(chipNode.string ?? "?")'", names)
    }
    var sensor = Board.Sensor(chip: chip)
    if let value = keys["bus"] { sensor.bus = try bus(value) }
    if let value = keys["address"] { sensor.address = try address(value, of: chip) }
    if let value = keys["mount"] {
      sensor.mount = try mounting(value)
      if sensor.mount == .automatic {
        throw refusal(
          value, "'auto' is not supported for a single sensor's mount", "axis words or a rotation")
      }
    }
    if let value = keys["latency"] {
      sensor.latencySeconds = try number(value, "latency", "seconds", in: 0...1)
    }
    if let value = keys["data-ready"] {
      sensor.dataReadyLine = try string(value, called: "the name of a GPIO line")
      sensor.settings.drivesDataReadyLine = true
    }
    if let value = keys["rate"] {
      sensor.settings.rateHertz = try number(value, "rate", "samples a second", in: 0.1...2000)
    }
    if let value = keys["field-range"] {
      sensor.settings.fieldMicrotesla = try number(value, "range", "microtesla", in: 50...5000)
    }
    if let value = keys["rotation-range"] {
      let degrees = try number(value, "range", "degrees a second", in: 100...4000)
      sensor.settings.angularRateRadiansPerSecond = degrees * .pi / 180
    }
    if let value = keys["force-range"] {
      let gravities = try number(value, "range", "g", in: 1...32)
      sensor.settings.specificForceMetresPerSecondSquared = gravities * 9.806_65
    }
    return sensor
  }

  private func bus(_ node: Node) throws(BoardFileError) -> String {
    let text = try string(node, called: "a bus")
    let name = text.hasPrefix("/dev/") ? String(text.dropFirst("/dev/".count)) : text
    guard name.hasPrefix("i2c-"), !name.dropFirst("i2c-".count).isEmpty else {
      throw refusal(node, "'\(text)' is not an I2C bus", "/dev/i2c-N, such as \(Board.usualBus)")
    }
    return "/dev/\(name)"
  }

  private func address(_ node: Node, of chip: ChipModel) throws(BoardFileError) -> UInt8 {
    guard let value = node.int, let address = UInt8(exactly: value),
      chip.addresses.contains(address)
    else {
      throw refusal(
        node, "'\(node.string ?? "?")' is not an address of \(chip.rawValue)",
        chip.addresses.map(Hexadecimal.text).joined(separator: ", "))
    }
    return address
  }
}
