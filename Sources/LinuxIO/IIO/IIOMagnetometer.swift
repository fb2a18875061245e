import Chips
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A magnetometer that a kernel driver owns, along the axes of the chip's registers.
///
/// - Units: The ABI's gauss, 100 microtesla; a driver with a hundredth of that is corrected (hmc5843).
/// - Accuracy: The kernel prints scales with three to four digits: 0.000146 gauss for 1/6842. It gives an
///   LSM9DS1 the LIS3MDL's, 0.7 to 4.3 % above that data sheet's, and all axes of an AK8963 inside an
///   MPU-9250 the factory adjustment of its x (inv_mpu6050's channels have no `address`). A calibration
///   corrects both.
/// - Staleness: Through sysfs each axis is read separately. ST's drivers switch the chip on for each and
///   wait two periods, so that x, y and z are six periods apart; `rateHertz` includes that time. A
///   `mount_matrix` is not applied: raw values are in the chip's axes.
public struct IIOMagnetometer: Magnetometer {
  /// The chip that is read.
  public let model: ChipModel
  /// The chip's address on its bus, 7 bits.
  public var address: UInt8 { device.address }
  /// Samples a second: the rate of the device or of its timer, limited by the driver's speed; before `start`
  /// the requested rate.
  public var rateHertz: Double { stream?.rateHertz ?? 0 }
  /// Half a period: the kernel does not report the chip's averaging.
  public var latencySeconds: Double { stream.map { 0.5 / $0.rateHertz } ?? 0 }
  /// The kernel timestamp of the sample read last; nil without a buffer.
  public private(set) var newestTimestamp: Timestamp?

  private let device: IIODevice
  private let stream: IIOStream?

  /// The default rate, hertz, as of Lodestar's own drivers.
  private static var usualHertz: Double { 75 }

  /// Makes a driver; nothing is read or written before `start`.
  public init(device: IIODevice, model: ChipModel, settings: ChipSettings) {
    self.init(device: device, model: model, settings: settings) { MonotonicClock.now }
  }

  package init(
    device: IIODevice, model: ChipModel, settings: ChipSettings,
    clock: @escaping () -> Timestamp
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
            correction: model.scaleCorrection)
        ], requested: settings.rateHertz ?? Self.usualHertz, clock: clock)
    }
  }

  /// Whether samples come from the kernel's buffer, not through sysfs.
  public var isBuffered: Bool { stream?.isBuffered ?? false }

  /// Checks that the driver is bound and has the channels, and sets rate and range.
  public mutating func start() throws(ChipError) {
    try device.check(model)
    do throws(IIOFault) { try channels().start() } catch {
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
      newestTimestamp = sample.timestamp
      return sample.vector(from: 0).map { .value(MagneticField(microtesla: $0)) } ?? .saturated
    } catch {
      // ak8975.c's error for a reported overflow (HOFL).
      if [.ak8963, .ak09916].contains(model), error.code == EINVAL { return .saturated }
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
    guard models.contains(model) else {
      throw error(
        .unsupported("that: the kernel calls the chip '\(name)', not \(model.rawValue)"),
        model: model)
    }
    guard isBound else { throw error(.disconnected, model: model) }
  }
}
