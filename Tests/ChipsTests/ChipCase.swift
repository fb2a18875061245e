import Chips
import Quantities
import Simulation
import Testing

/// One chip's line in the conformance suite.
struct ChipCase: Sendable, CustomTestStringConvertible {
  /// The chip.
  var model: ChipModel
  /// Its address.
  var address: UInt8
  /// The emulated chip.
  var emulated: @Sendable (any Surroundings) -> any EmulatedChip
  /// The driver.
  var driver: @Sendable (EmulatedBus, ChipSettings) -> any SensorChip
  /// Its identity register, and the values of other chips with the names that the error must
  /// contain. Nil for a chip without one.
  var identity: (register: UInt8, others: [(value: UInt8, name: String?)])?
  /// Settings that choose each range, with the range's end and the datasheet's step, both in the
  /// quantity's unit (microtesla, rad/s and m/s², hectopascal).
  var ranges: [ChipRange]
  /// A register of the configuration table, for a chip that does not keep it; nil where the driver
  /// has no table.
  var configurationRegister: UInt8?
  /// Whether a loss of power loses no more than the measurement in progress: a chip without
  /// configuration.
  var survivesPowerLoss = false
  /// Pressures outside the range that the registers can show, hectopascal.
  var impossiblePressures = [4.0, 1300]
  /// Samples until the chip's filters have settled after a change.
  var settlingSamples = 3
  /// The registers from which an inertial unit's FIFO is read.
  var fifoRegisters: Set<UInt8> = []
  /// The number of samples that its FIFO holds.
  var fifoSamples = 85

  /// How long it boots at most, milliseconds, in which it does not acknowledge: its driver then
  /// waits, and a refusal is no error.
  var bootMilliseconds: UInt64 = 0

  /// Whether the driver's bus is an SPI.
  var isOnSPI = false

  var testDescription: String { model.rawValue + (isOnSPI ? " on SPI" : "") }
}

/// One range of one of a chip's quantities.
struct ChipRange: Sendable {
  /// Which quantity of the chip.
  enum Quantity: Sendable { case field, angularRate, specificForce, pressure }
  var quantity: Quantity
  /// What chooses the range.
  var settings: ChipSettings
  /// The greatest magnitude that must read as a value; for pressure the least and greatest.
  var inside: ClosedRange<Double>
  /// A magnitude that must read as saturated; nil if the registers cannot show it.
  var beyond: Double?
  /// The datasheet's size of a step on x, y and z (pressure: only x).
  var step: SIMD3<Double>
}

/// All chips; the case of each has its own file.
let chipCases: [ChipCase] = [
  .lis3mdl,
  .lis2mdl,
  .ist8310,
  .ak09916,
  .mmc5603,
  .mmc5983ma,
  .bmm150,
  .rm3100,
  .bmm350,
  .hmc5883l,
  .qmc5883l,
  .qmc5883p,
  .qmc6310,
  .qmc6309,
  .mag3110,
  .mlx90393,
  .lsm303dlhcMagnetometer,
  .lsm9ds1Magnetometer,
  .ak8963,
  .bmp180,
  .bmp280,
  .bme280,
  .bmp388,
  .bmp390,
  .bmp581,
  .bmp585,
  .lps25hb,
  .lps22hb,
  .lps22hh,
  .lps22df,
  .dps310,
  .spl06,
  .spl07,
  .qmp6988,
  .smpb02b,
  .mpl3115a2,
  .bme680,
  .icp10125,
  .ms5611,
  .ms5607,
  .ms5637,
  .ms5837With30Bar,
  .ms5837With2Bar,
  .mpu6050,
  .mpu6500,
  .mpu9250,
  .mpu9255,
  .mpu6886,
  .icm20689,
  .icm20602,
  .icm20608,
  .lsm9ds1Inertial,
  .lsm6ds3,
  .lsm6ds3trc,
  .lsm6dso,
  .lsm6dso32,
  .lsm6dsv,
  .lsm6dsv32x,
  .ism330dhcx,
  .l3g4200d,
  .l3gd20,
  .l3gd20h,
  .adxl345,
  .itg3205,
  .qmi8658,
  .icm20948,
  .bmi160,
  .icm42688p,
  .icm42605,
  .iim42652,
  .icm42670p,
  .icm45686,
  .bmi270,
  .bmi088Accelerometer,
  .bmi088Gyroscope,
  .bno055,
  .bno085,
  .bmx055Accelerometer,
  .bmx055Gyroscope,
  .fxos8700,
  .fxas21002,
  .lsm303d,
  .lsm9ds0,
  .lsm303dlhcAccelerometer,
  .lsm303agrAccelerometer,
]

/// An emulated chip on its bus with its driver.
final class Bench {
  let bus = EmulatedBus()
  let surroundings = FixedSurroundings()
  let chip: any EmulatedChip
  let address: UInt8
  var driver: any SensorChip

  init(_ chipCase: ChipCase, settings: ChipSettings = ChipSettings()) {
    chip = chipCase.emulated(surroundings)
    address = chipCase.address
    bus.place(chip, at: address)
    driver = chipCase.driver(bus, settings)
  }

  /// The result of one reading of any chip: a list, because a FIFO delivers several.
  func read() throws -> [Sample] {
    if var magnetometer = driver as? any Magnetometer {
      defer { driver = magnetometer }
      return try magnetometer.readField().map { [Sample(field: $0)] } ?? []
    }
    if var unit = driver as? any InertialUnit {
      defer { driver = unit }
      var samples: [Sample] = []
      _ = try unit.readInertia { samples.append(Sample(inertia: $0)) }
      return samples
    }
    if var barometer = driver as? any Barometer {
      defer { driver = barometer }
      return try barometer.readPressure().map { [Sample(pressure: $0)] } ?? []
    }
    return []
  }

  /// Polls until `count` samples arrived; each call waits a fifth of a period.
  func read(atLeast count: Int) throws -> [Sample] {
    var samples: [Sample] = []
    for _ in 0..<20 * count + 40 where samples.count < count {
      bus.wait(nanoseconds: fifthOfAPeriod)
      samples += try read()
    }
    return samples
  }

  /// The next sample with a quantity, which a unit may measure less often than its others.
  func next(_ quantity: ChipRange.Quantity) throws -> Sample? {
    for _ in 0..<100 {
      let samples = try read(atLeast: 1)
      if let sample = samples.last(where: { $0.vectors[quantity] != nil }) { return sample }
    }
    return nil
  }

  var fifthOfAPeriod: UInt64 { UInt64(bounded: 0.2e9 / driver.rateHertz) }

  /// Sets the input along one axis.
  func feel(_ quantity: ChipRange.Quantity, _ value: Double, axis: Int = 0) {
    var vector = SIMD3<Double>.zero
    vector[axis] = value
    switch quantity {
    case .field: surroundings.field = vector
    case .angularRate: surroundings.angularRate = vector
    case .specificForce: surroundings.specificForce = vector
    case .pressure: surroundings.hectopascal = value
    }
  }
}

/// A reading of any chip.
struct Sample {
  var vectors: [ChipRange.Quantity: Reading<SIMD3<Double>>] = [:]

  init(field: Reading<MagneticField<SensorFrame>>) { put(field, as: .field) }
  init(inertia: InertialReading) {
    if let rate = inertia.angularRate { put(rate, as: .angularRate) }
    if let force = inertia.specificForce { put(force, as: .specificForce) }
    if let field = inertia.field { put(field, as: .field) }
  }
  init(pressure: PressureReading) {
    vectors[.pressure] = .value(SIMD3(pressure.hectopascal, 0, 0))
  }

  private mutating func put<Unit>(
    _ reading: Reading<FrameVector<Unit, SensorFrame>>, as quantity: ChipRange.Quantity
  ) {
    vectors[quantity] =
      switch reading {
      case .value(let vector): .value(vector.components)
      // The end of the range is marked.
      case .clipped, .saturated: .saturated
      }
  }
}
