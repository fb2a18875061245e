import Chips
import Quantities

/// A barometer that a kernel driver owns.
///
/// If the driver compensates (`in_pressure_input`: BMP280, BME280, MS5611), its value is read
/// through sysfs even if there is a buffer: the scale of the buffer's counts is printed with four
/// digits only, an error of a tenth of a hectopascal.
///
/// - Accuracy: A BME680's driver computes with 32 bits, and is 20.48 hPa too low above about 1050
///   hPa, by the chip's par_p10.
/// - Units: The ABI's kilopascal, 10 hectopascal, and thousandths of a degree Celsius.
/// - Staleness: A read makes the driver read the chip's newest conversion, or start one. Each
///   value, read once in a period, is a sample, changed or not.
public struct IIOBarometer: Barometer {
  /// The chip that is read.
  public let model: ChipModel
  /// The chip's address on its bus, 7 bits.
  public var address: UInt8 { device.address }
  /// Samples a second: the device's rate, else the requested one, limited by the driver's speed.
  public private(set) var rateHertz: Double
  /// Half a period: the kernel does not report the chip's averaging.
  public var latencySeconds: Double { 0.5 / rateHertz }

  /// The kernel's timestamp of the sample read last; nil for a compensated value.
  public private(set) var sampleTimestamp: Timestamp?

  private let device: IIODevice
  private let clock: () -> Timestamp
  private let stream: IIOStream?
  private typealias Inputs = (pressure: IIOAttribute, temperature: IIOAttribute)
  private var inputs: Inputs?
  private var due = Timestamp(nanoseconds: 0)
  private let requestedRate: Double
  private var deviceRate: Double?

  /// The default rate, hertz, as of Lodestar's own drivers.
  private static var usualHertz: Double { 25 }

  /// Makes a driver; nothing is read or written before `start`.
  package init(
    device: IIODevice, model: ChipModel, settings: ChipSettings,
    sharing: IIOSharing = IIOSharing(),
    clock: @escaping () -> Timestamp = { MonotonicClock.now }
  ) {
    self.device = device
    self.model = model
    self.clock = clock
    let requestedRate = settings.rateHertz ?? Self.usualHertz
    self.requestedRate = requestedRate
    rateHertz = requestedRate
    stream =
      device.node(with: "in_pressure_input") == nil
      ? device.node(with: "in_pressure_raw").map { node in
        IIOStream(
          node,
          channels: [
            IIOChannels(
              stem: "in_pressure", suffixes: [""], unit: 10, greatest: nil, rails: nil,
              correction: model.scaleCorrection),
            IIOChannels(
              stem: "in_temp", suffixes: [""], unit: 1e-3, greatest: nil, rails: nil,
              correction: model.scaleCorrection),
          ], requested: requestedRate, sharing: sharing, clock: clock)
      } : nil
  }

  /// Whether samples come from the kernel's buffer, not through sysfs.
  public var isBuffered: Bool { stream?.isBuffered ?? false }

  /// Checks that the driver is bound and has the channels, and sets the rate.
  public mutating func start() throws(ChipError) {
    try device.check(model)
    inputs = nil
    do throws(IIOFault) {
      if let stream {
        try stream.start()
        rateHertz = stream.rateHertz
      } else {
        try startInputs()
      }
    } catch { throw device.error(error, model: model) }
  }

  /// Whether the driver is still bound and its settings are what they were.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard device.isBound else { return false }
    do throws(IIOFault) {
      if let stream { return try stream.holds() }
      guard inputs != nil, let node = device.node(with: "in_pressure_input") else { return false }
      return IIORate.printed(of: node, stem: "in_pressure") == deviceRate
    } catch { throw device.error(error, model: model) }
  }

  /// The oldest sample of the buffer, or the driver's present value, once in a period.
  public mutating func readPressure() throws(ChipError) -> PressureReading? {
    do throws(IIOFault) {
      if let stream {
        guard let sample = try stream.next() else { return nil }
        sampleTimestamp = sample.timestamp
        return PressureReading(hectopascal: sample.values[0], celsius: sample.values[1])
      }
      let now = clock()
      guard let inputs, now >= due else { return nil }
      let reading = try Self.read(inputs)
      let period = UInt64(bounded: 1e9 / rateHertz)
      let following = due.advanced(byNanoseconds: period)
      due = following.advanced(byNanoseconds: period) < now ? now : following
      return reading
    } catch { throw device.error(error, model: model) }
  }

  private mutating func startInputs() throws(IIOFault) {
    guard let node = device.node(with: "in_pressure_input") else {
      throw IIOFault(code: 0, doing: "looking for in_pressure_input")
    }
    deviceRate = try IIORate.choose(of: node, stem: "in_pressure", requested: requestedRate)
    if node.has("in_temp_sampling_frequency") {
      // The DPS310's driver waits for a new temperature at each reading.
      _ = try IIORate.choose(of: node, stem: "in_temp", requested: deviceRate ?? requestedRate)
    }
    let inputs = (
      pressure: try IIOAttribute("in_pressure_input", of: node),
      temperature: try IIOAttribute("in_temp_input", of: node)
    )
    rateHertz = deviceRate ?? requestedRate
    var seconds = try time(of: inputs)
    // The first value after a change of the rate may come later than a period.
    if seconds * rateHertz > 1 { seconds = min(seconds, try time(of: inputs)) }
    if seconds * rateHertz > 1 { rateHertz = 1 / seconds }
    due = clock()
    self.inputs = inputs
  }

  private func time(of inputs: Inputs) throws(IIOFault) -> Double {
    let begun = clock()
    _ = try Self.read(inputs)
    return clock().seconds(since: begun)
  }

  private static func read(_ inputs: Inputs) throws(IIOFault) -> PressureReading {
    // Kilopascals and thousandths of a degree.
    let pressure = try inputs.pressure.read().value(timesTenTo: 1)
    let temperature = try inputs.temperature.read().value(timesTenTo: -3)
    return PressureReading(hectopascal: pressure, celsius: temperature)
  }
}
