import Chips
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A magnetometer that a kernel driver owns, along the axes of the chip's registers, or those of
/// the device tree's mount matrix (`IIOAxes`).
///
/// - Units: The ABI's gauss, 100 microtesla; a driver with a hundredth of that is corrected
///   (hmc5843).
/// - Accuracy: The kernel prints scales with three to four digits: 0.000146 gauss for 1/6842. It
///   gives an LSM9DS1 the LIS3MDL's, 0.7 to 4.3 % above that data sheet's, and all axes of an
///   AK8963 inside an MPU-9250 the factory adjustment of its x (inv_mpu6050's channels have no
///   `address`). A calibration corrects both.
/// - Staleness: Through sysfs each axis is read separately. ST's drivers switch the chip on for
///   each and wait two periods, so that x, y and z are six periods apart; `rateHertz` includes that
///   time.
public struct IIOMagnetometer: Magnetometer {
  /// The chip that is read.
  public let model: ChipModel
  /// The chip's address on its bus, 7 bits.
  public var address: UInt8 { device.address }
  /// Samples a second: the rate of the device or of its timer, limited by the driver's speed;
  /// before `start` the requested rate.
  public var rateHertz: Double { stream?.rateHertz ?? 0 }
  /// Half a period: the kernel does not report the chip's averaging.
  public var latencySeconds: Double { stream?.latencySeconds ?? 0 }
  /// The kernel's timestamp of the sample read last; through sysfs the middle of the reads.
  public private(set) var sampleTimestamp: Timestamp?

  private let device: IIODevice
  private let stream: IIOStream?
  private var axes = IIOAxes()

  /// The default rate, hertz, as of Lodestar's own drivers.
  private static var usualHertz: Double { 75 }

  /// Makes a driver; nothing is read or written before `start`.
  package init(
    device: IIODevice, model: ChipModel, settings: ChipSettings,
    sharing: IIOSharing = IIOSharing(),
    clock: @escaping () -> Timestamp = { MonotonicClock.now }
  ) {
    self.device = device
    self.model = model
    stream = device.node(with: "in_magn_x_raw").map { node in
      IIOStream(
        node,
        channels: [
          IIOChannels(
            stem: "in_magn", suffixes: ["_x", "_y", "_z"], unit: 100,
            greatest: settings.fieldMicrotesla, rails: model.kernelRails(in: node.name),
            correction: model.scaleCorrection, zero: model.kernelZero)
        ], requested: settings.rateHertz ?? Self.usualHertz, sharing: sharing, clock: clock)
    }
  }

  /// Whether samples come from the kernel's buffer, not through sysfs.
  public var isBuffered: Bool { stream?.isBuffered ?? false }

  /// Checks that the driver is bound and has the channels, and sets rate and range.
  public mutating func start() throws(ChipError) {
    try device.check(model)
    do throws(IIOFault) {
      let stream = try channels()
      axes = try IIOAxes(
        of: "in_magn", stream.node, signs: model.kernelAxisSigns,
        package: model.kernelPackage(in: stream.node.name))
      try stream.start()
    } catch {
      throw device.error(error, model: model)
    }
  }

  /// Whether the driver is still bound and its settings are what they were.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard device.isBound else { return false }
    do throws(IIOFault) { return try channels().holds() } catch {
      throw device.error(error, model: model)
    }
  }

  /// The oldest unread sample of the buffer, or the driver's present value, once in a period.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    do throws(IIOFault) {
      guard let sample = try channels().next() else { return nil }
      sampleTimestamp = sample.timestamp
      return sample.vector(from: 0, axes: axes).value.map { .value(MagneticField(microtesla: $0)) }
        ?? .saturated
    } catch {
      // ak8975.c's error for a reported overflow (HOFL).
      let isOfAsahi = [.ak8963, .ak09916].contains(model) || device.driver == "ak8975"
      if isOfAsahi, error.code == EINVAL { return .saturated }
      throw device.error(error, model: model)
    }
  }

  private func channels() throws(IIOFault) -> IIOStream {
    guard let stream else { throw IIOFault(code: 0, doing: "looking for in_magn_x_raw") }
    return stream
  }
}

extension IIODevice {
  /// Checks that the driver is still bound to that chip.
  func check(_ model: ChipModel) throws(ChipError) {
    guard reads(model) else {
      throw error(
        .unsupported("the kernel calls the chip '\(name)', not \(model.rawValue)"),
        model: model)
    }
    guard isBound else { throw error(.disconnected, model: model) }
  }
}
