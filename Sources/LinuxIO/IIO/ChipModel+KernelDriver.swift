import Chips

/// Differences between kernel drivers and the chips' data sheets.
extension ChipModel {
  /// Counts at and beyond which a sample is saturated; nil for the limits of the type.
  ///
  /// - Source: Honeywell HMC5883L data sheet 900405: 12 bits, and -4096 after an overflow, which
  ///   hmc5843_core.c passes on as it is; Linux ak8975.c cuts off at ±8190 (`def->range`), which is
  ///   where the AK8963's 14 bits end. An MPU-9250's driver has its AK8963 measure with 16 bits,
  ///   ±32,760. adxl345_core.c and fxos8700_core.c have no buffer, which would tell 13 and 14 bits,
  ///   nor mmc5633.c (20 bits) and mmc5983.c (half the difference of two counts of 18 bits).
  func kernelRails(in name: String) -> ClosedRange<Int64>? {
    switch catalogued {
    case .hmc5883l, .lsm303dlhcMagnetometer: -2049...2048
    case .ak8963: name == "ak8963" ? -8190...8190 : -32_760...32_760
    // The same file's range of the AK09916.
    case .ak09916: -32_752...32_752
    case .adxl345: -4096...4095
    case .fxos8700: -8192...8191
    case .mmc5603: 0...1_048_575
    case .mmc5983ma: -131_071...131_071
    default: nil
    }
  }

  /// The count that the kernel passes on for a field of zero.
  /// - Source: Linux mmc5633.c has the chip's 20 bits without a sign and no `in_magn_offset`.
  var kernelZero: Double { catalogued == .mmc5603 ? 524_288 : 0 }

  /// The correction factor of the kernel's scale, where a driver (6.12 and before) does not have
  /// the ABI's unit. A corrected driver is recognised by its scale, as no range of the chip has
  /// such counts.
  ///
  /// - Source: hmc5843_core.c reports a hundredth of a gauss: 0.000009174 for the HMC5883L's 1090
  ///   counts a gauss; fxos8700_core.c the force in g: 0.000244 for 4096 counts a g;
  ///   fxas21002c_core.c thousandths of a degree per second: 62.5 at ±2000.
  func scaleCorrection(_ scale: Double) -> Double {
    switch catalogued {
    case .fxos8700: scale < 0.0015 ? 9.806_65 : 1
    case .fxas21002: scale > 1 ? .pi / 180_000 : 1
    case .hmc5883l: scale < 1e-4 ? 100 : 1
    default:
      isOfKernel && rawValue.hasPrefix("hmc5") && quantity == .field && scale < 1e-4 ? 100 : 1
    }
  }

  /// The same chip of the catalogue, where this one is named as the kernel names it.
  private var catalogued: ChipModel {
    guard isOfKernel, let chip = IIODevice.known(rawValue), chip.quantity == quantity else {
      return self
    }
    return chip
  }

  /// The matrix that the kernel's mount matrix of this chip includes where a motion unit's driver
  /// reads it: from the axes of an AK8963 to those of its MPU-9250. The board file has it as the
  /// chip's mount.
  /// - Source: Linux, drivers/iio/imu/inv_mpu6050/inv_mpu_magn.c, `inv_mpu_magn_set_orient`.
  func kernelPackage(in name: String) -> IIOAxes? {
    self == .ak8963 && name != "ak8963" ? IIOAxes("0, 1, 0; 1, 0, 0; 0, 0, -1") : nil
  }

  /// The signs that convert the kernel's axes, which are the registers', to the right-handed ones
  /// of Lodestar's driver: x of the LSM9DS1's inertial half and z of LIS2MDL, MAG3110 and the
  /// LSM9DS0's field are inverted there, the output of the MMC5983MA falls with the field after SET,
  /// and the MMC5603's driver leaves the bridge after RESET.
  /// - Source: `ChipFact`; Linux mmc5983.c (SET less RESET), mmc5633.c and st_magn_core.c (no sign).
  var kernelAxisSigns: SIMD3<Double> {
    switch self {
    case .lsm9ds1Inertial: SIMD3(-1, 1, 1)
    case .lis2mdl: SIMD3(1, 1, -1)
    case .mmc5603, .mmc5983ma: SIMD3(-1, -1, -1)
    case .mag3110: SIMD3(1, 1, -1)
    default:
      // A chip that is named as the kernel names it is the same chip. The LSM9DS0's field is
      // left-handed, not its force.
      switch isOfKernel ? IIODevice.known(rawValue) : nil {
      case .lsm9ds0?: SIMD3(1, 1, quantity == .field ? -1 : 1)
      case let chip?: chip.kernelAxisSigns
      case nil: SIMD3(1, 1, 1)
      }
    }
  }
}
