import Quantities

/// A topic of samples and estimates, in recordings and live.
package enum ROSTopic: CaseIterable, Sendable {
  case estimate, imuRaw, imu, field, pressure, temperature, fix

  /// The name.
  package var name: String {
    switch self {
    case .estimate: "/lodestar/estimate"
    case .imuRaw: "/imu/data_raw"
    case .imu: "/imu/data"
    case .field: "/imu/mag"
    case .pressure: "/pressure"
    case .temperature: "/temperature"
    case .fix: "/fix"
    }
  }

  /// The type of its messages.
  package var type: any ROSMessage.Type {
    switch self {
    case .estimate: EstimateMessage.self
    case .imuRaw, .imu: ROSImu.self
    case .field: ROSMagneticField.self
    case .pressure: ROSFluidPressure.self
    case .temperature: ROSTemperature.self
    case .fix: ROSNavSatFix.self
    }
  }

  /// What the type does not say.
  package var note: String {
    switch self {
    case .imuRaw: "as measured, axes of base_link: x forward, y left, z up"
    case .imu:
      "orientation of base_link in east, north, up; north is true where the declination is known, else magnetic"
    case .field: "as measured, without calibration"
    case .fix: "altitude above the ellipsoid"
    case .estimate, .pressure, .temperature: ""
    }
  }
}

/// Makes the messages of samples and estimates.
package struct ROSTopicEncoder: Sendable {
  /// A message with its topic.
  package typealias Message = (topic: ROSTopic, message: any ROSMessage)

  private let mounting: Rotation<SensorFrame, BodyFrame>
  package var offset: Int64
  private var newestInertial: InertialSample<SensorFrame>?

  /// Makes an encoder.
  /// - Parameters:
  ///   - mounting: From the axes of the samples to the body's.
  ///   - offset: Civil time less the samples' clock, nanoseconds.
  package init(mounting: Rotation<SensorFrame, BodyFrame>, offset: Int64) {
    (self.mounting, self.offset) = (mounting, offset)
  }

  /// Civil time of an instant, nanoseconds since 1970.
  package func nanoseconds(at time: Timestamp) -> UInt64 {
    time.nanoseconds &+ UInt64(bitPattern: offset)
  }

  private func header(_ time: Timestamp) -> ROSHeader {
    ROSHeader(nanoseconds: nanoseconds(at: time))
  }

  /// The messages of samples, and of the receiver's own fix.
  package mutating func messages(of row: SensorSamples) -> [Message] {
    var messages: [Message] = []
    if let sample = row.inertial {
      newestInertial = sample
      var imu = ROSImu(header: header(sample.timestamp))
      fill(&imu, sample)
      messages.append((.imuRaw, imu))
    }
    if let sample = row.field {
      let tesla = ROSAxes.body(mounting.rotate(sample.field.components)) * 1e-6
      messages.append((.field, ROSMagneticField(header: header(sample.timestamp), field: tesla)))
    }
    if let sample = row.pressure {
      let header = header(sample.timestamp)
      messages.append(
        (.pressure, ROSFluidPressure(header: header, pascal: sample.hectopascal * 100)))
      if let celsius = sample.celsius {
        messages.append((.temperature, ROSTemperature(header: header, celsius: celsius)))
      }
    }
    if let fix = row.fix { messages.append(message(of: fix)) }
    return messages
  }

  /// The message of a receiver's own fix.
  package func message(of fix: Fix) -> Message {
    (.fix, ROSNavSatFix(fix, header: header(fix.timestamp)))
  }

  /// The messages of an estimate.
  package func messages(of estimate: Estimate) -> [Message] {
    let header = header(estimate.timestamp)
    let whole = EstimateMessage(estimate, nanoseconds: header.nanoseconds)
    guard estimate.isLevelKnown, estimate.attitude != nil else { return [(.estimate, whole)] }
    var imu = ROSImu(header: header)
    fill(&imu, newestInertial)
    imu.setOrientation(of: estimate)
    return [(.estimate, whole), (.imu, imu)]
  }

  private func fill(_ imu: inout ROSImu, _ sample: InertialSample<SensorFrame>?) {
    if let rate = sample?.angularRate {
      imu.angularVelocity = ROSAxes.body(mounting.rotate(rate.components))
    } else {
      imu.angularVelocityCovariance[0] = -1
    }
    if let force = sample?.specificForce {
      imu.linearAcceleration = ROSAxes.body(mounting.rotate(force.components))
    } else {
      imu.linearAccelerationCovariance[0] = -1
    }
  }
}

extension ROSNavSatFix {
  fileprivate init(_ fix: Fix, header: ROSHeader) {
    self.init(header: header)
    guard let position = fix.position else { return }
    status =
      switch fix.kind {
      case .none: -1
      case .differential: 1
      case .rtkFloat, .rtkFixed: 2
      default: 0
      }
    latitude = position.latitude.degrees
    longitude = position.longitude.degrees
    altitude = fix.ellipsoidalAltitudeMetres ?? .nan
    if let matrix = fix.positionCovarianceSquareMetres {
      (covariance, covarianceType) = (ROSAxes.earth(matrix), 3)
    } else if let radius = fix.horizontalAccuracyMetres {
      let sigma = radius / Fix.sigmasIn68PercentRadius
      // The vertical error of a receiver without one: twice the horizontal, the usual ratio of the
      // dilutions.
      let up = fix.verticalAccuracyMetres ?? 2 * sigma
      covariance = [sigma * sigma, 0, 0, 0, sigma * sigma, 0, 0, 0, up * up]
      covarianceType = fix.verticalAccuracyMetres == nil ? 1 : 2
    }
  }
}

extension ROSImu {
  /// Sets the orientation, with true north where the declination is known.
  fileprivate mutating func setOrientation(of estimate: Estimate) {
    guard let attitude = estimate.attitude else { return }
    var angles = attitude.attitudeAngles
    if let heading = estimate.trueHeading?.angle ?? estimate.magneticHeading?.angle {
      angles.heading = heading
    }
    orientation = ROSAxes.orientation(Rotation<BodyFrame, EarthFrame>(angles))
    orientationCovariance = [Double](repeating: 0, count: 9)
    // Roll and pitch have no error of their own; they are more certain than the heading, of which
    // the accuracy is two sigma.
    if let accuracy = estimate.trueHeadingAccuracy ?? estimate.headingAccuracy {
      let variance = accuracy.radians * accuracy.radians / 4
      for index in [0, 4, 8] { orientationCovariance[index] = variance }
    }
  }
}
