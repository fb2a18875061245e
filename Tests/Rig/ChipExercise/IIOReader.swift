import CAllocations
import Chips
import LinuxIO
import Quantities

/// Lodestar's drivers for chips of kernel drivers, with an artificial clock, so that reads need no
/// waiting.
final class IIOReader {
  /// One of them is there.
  private(set) var field: IIOMagnetometer?
  private(set) var inertia: IIOInertialUnit?
  private(set) var pressure: IIOBarometer?
  /// The stamp of the inertial unit's newest sample.
  private(set) var inertialTimestamp: Timestamp?

  init(
    bus: String, address: UInt8, model: ChipModel, settings: ChipSettings = ChipSettings()
  ) throws {
    guard let device = try IIODevice.find(bus: bus, address: address) else {
      throw Trouble("our IIO reader finds no device")
    }
    guard device.reads(model) else {
      throw Trouble("our IIO reader takes '\(device.name)' for \(device.models)")
    }
    var seconds: UInt64 = 0
    let clock = { () -> Timestamp in
      seconds += 1
      return Timestamp(nanoseconds: seconds * 1_000_000_000)
    }
    switch model.quantity {
    case .field:
      field = IIOMagnetometer(device: device, model: model, settings: settings, clock: clock)
    case .inertia:
      inertia = IIOInertialUnit(device: device, model: model, settings: settings, clock: clock)
    case .pressure:
      pressure = IIOBarometer(device: device, model: model, settings: settings, clock: clock)
    }
  }

  func start() throws {
    try field?.start()
    try inertia?.start()
    try pressure?.start()
  }

  /// The components of the newest sample, in the unit that our decoders give.
  func read(_ stem: String) throws -> Reading<SIMD3<Double>>? {
    if field != nil {
      return try field?.readField().map { $0.components.map { .value($0) } ?? .saturated }
    }
    var found: Reading<SIMD3<Double>>?
    _ = try inertia?.readInertia {
      inertialTimestamp = $0.timestamp
      found =
        stem == "in_accel"
        ? $0.specificForce?.map(\.components)
        : $0.angularRate?.map(\.components)
    }
    return found
  }

  func readPressure() throws -> PressureReading? { try pressure?.readPressure() }

  /// The number of heap blocks that ten more readings allocate.
  func blocksOfReading(_ stem: String) throws -> UInt64 {
    let before = allocations()
    for _ in 0..<10 {
      _ = try read(stem)
      _ = try readPressure()
    }
    return allocations() - before
  }

  /// Whether an unbound kernel driver is detected: the configuration does not hold, and a read
  /// throws the reason.
  func knowsItIsUnbound() -> Bool {
    do {
      for holds in [
        try field?.holdsConfiguration(), try inertia?.holdsConfiguration(),
        try pressure?.holdsConfiguration(),
      ] where holds == true { return false }
      _ = try read("in_accel")
      _ = try readPressure()
      return false
    } catch { return Self.cause(of: error) == .disconnected }
  }

  /// The bus error in a chip's error.
  static func cause(of error: any Error) -> BusError.Kind? {
    guard let error = error as? ChipError, case .bus(let cause) = error.kind else { return nil }
    return cause.kind
  }
}

/// AK8963: at an overflow of the chip the kernel returns EINVAL, and Lodestar's IIO driver reports
/// saturation.
func exerciseOverflow(bus: String) -> Row {
  var row = Row(
    chip: "AK8963 overflow", compared: "EINVAL of the kernel, saturated of our IIO driver")
  do {
    let stub = try Stub(bus: bus, address: ak8963.address, mirror: 0)
    try stub.load(ak8963.powerOn)
    let kernel = try Kernel(bus: bus, name: ak8963.kernelName, address: ak8963.address)
    row.driver = kernel.driver
    row.isBound = true
    do {
      let reader = try IIOReader(bus: bus, address: ak8963.address, model: .ak8963)
      // It starts in an overflow too.
      try stub.load([(0x09, [0x18])])
      try reader.start()
      for (status, isOverflow) in [(UInt8(0x10), false), (0x18, true), (0x10, false)] {
        row.patterns += 1
        try stub.load([(0x09, [status])])
        let read = try reader.read("in_magn")
        row.check(
          (read == .saturated) == isOverflow,
          "ST2 \(status): our IIO driver \(String(describing: read))")
        guard case .failure(let answer) = try kernel.text("in_magn_x_raw") else {
          row.check(!isOverflow, "ST2 \(status): the kernel reads a value")
          continue
        }
        row.check(isOverflow && answer.code == 22, "ST2 \(status): error \(answer.code)")
      }
    } catch { row.check(false, "\(error)") }
    try kernel.unbind()
  } catch { row.check(false, "\(error)") }
  return row
}

/// FXAS21002: its kernel driver refuses its smallest range and sets half of the others; our IIO
/// driver finds one that is wide enough.
func exerciseFXAS21002Ranges(bus: String) -> Row {
  var row = Row(chip: "FXAS21002 ranges", compared: "")
  do {
    let stub = try Stub(bus: bus, address: fxas21002.address, mirror: 0)
    try stub.load(fxas21002.powerOn + [(0x0D, [0]), (0x13, [0, 0, 0])])
    let kernel = try Kernel(bus: bus, name: fxas21002.kernelName, address: fxas21002.address)
    row.driver = kernel.driver
    row.isBound = true
    do {
      var found: [String] = []
      for degrees in [250.0, 500, 1000, 2000, 4000] {
        row.patterns += 1
        let settings = ChipSettings(angularRateRadiansPerSecond: degrees * .pi / 180)
        try IIOReader(
          bus: bus, address: fxas21002.address, model: .fxas21002, settings: settings
        ).start()
        // FS_DOUBLE and FS, by which the kernel states 32,000 counts.
        let widest = 2000 << Int(try stub.written(0x15) & 1)
        let range = widest >> Int(try stub.written(0x0D) & 3)
        let scale = try kernel.number("in_anglvel_scale").value
        row.check(Double(range) >= degrees && scale * 32 == Double(range), "\(degrees): \(range)")
        found.append("\(Int(bounded: degrees)): \(range)")
      }
      row.compared = "ranges of our IIO driver, degrees a second: \(found.joined(separator: ", "))"
    } catch { row.check(false, "\(error)") }
    try kernel.unbind()
  } catch { row.check(false, "\(error)") }
  return row
}
