import Quantities

extension Scenario {
  /// Checks every number.
  /// - Throws: `ScenarioError.parameter` with the first number that is not finite or out of range.
  package func validate() throws(ScenarioError) {
    try check("origin.latitude (rad)", origin.latitude.radians, within: 80 * .pi / 180)
    try check("origin.longitude (rad)", origin.longitude.radians, within: .pi)
    try check("ellipsoidalHeightMetres", ellipsoidalHeightMetres, -1000...20_000)
    try check("geoidSeparationMetres", geoidSeparationMetres, within: 150)
    // The lowest and highest ever recorded are 870 and 1085 hPa.
    try check("seaLevelHectopascal", seaLevelHectopascal, 850...1100)
    try check("seaLevelHectopascalPerHour", seaLevelHectopascalPerHour, within: 50)
    if let durationSeconds { try check("durationSeconds", durationSeconds, 0...1e8) }
    try motion.validate()
    if let unit = inertialUnit {
      try check("inertialUnit.rateHertz", unit.rateHertz, Self.rates)
      try unit.gyroscope.validate("inertialUnit.gyroscope")
      try unit.accelerometer.validate("inertialUnit.accelerometer")
    }
    try validateMagnetometer()
    if let barometer {
      try check("barometer.rateHertz", barometer.rateHertz, Self.rates)
      try check("barometer.noiseHectopascal", barometer.noiseHectopascal, 0...100)
      try check("barometer.driftHectopascal", barometer.driftHectopascal, 0...100)
      try check("barometer.driftSeconds", barometer.driftSeconds, 0.001...1e9)
      try check("barometer.celsius", barometer.celsius, -100...200)
    }
    try receiver?.validate()
    if let antennas {
      try check("antennas.rateHertz", antennas.rateHertz, 0.001...100)
      try check("antennas.lengthMetres", antennas.lengthMetres, 0.01...1000)
      try check("antennas.direction (rad)", antennas.direction.radians, within: 100)
      try check("antennas.driftMetres", antennas.driftMetres, 0...100)
      try check("antennas.driftSeconds", antennas.driftSeconds, 0.001...1e9)
      try check("antennas.noiseMetres", antennas.noiseMetres, 0...100)
      try check("antennas.latencySeconds", antennas.latencySeconds, 0...10)
    }
  }

  private static var rates: ClosedRange<Double> { 0.001...20_000 }

  private func validateMagnetometer() throws(ScenarioError) {
    if let magnetometer {
      try check("magnetometer.rateHertz", magnetometer.rateHertz, Self.rates)
      try check("magnetometer.distortion", magnetometer.distortion, within: 100)
      try check("magnetometer.hardIron", magnetometer.hardIron.microtesla, within: 1e6)
      try check("magnetometer.misalignment", magnetometer.misalignment, within: .pi)
      try check("magnetometer.noiseMicrotesla", magnetometer.noiseMicrotesla, 0...1e6)
      try check("magnetometer.lagSeconds", magnetometer.lagSeconds, 0...10)
      try magnetometer.limits.validate("magnetometer.limits")
    }
    for disturbance in disturbances {
      switch disturbance {
      case .laidDown(let from, let to, let field):
        try check("disturbances.fromSeconds", from, within: 1e9)
        try check("disturbances.toSeconds", to, from...1e9)
        try check("disturbances.field", field.microtesla, within: 1e6)
      case .passing(let magnet):
        try check("disturbances.nearestAtSeconds", magnet.nearestAtSeconds, within: 1e9)
        try check("disturbances.nearestMetres", magnet.nearestMetres, 0.01...1000)
        try check("disturbances.speed", magnet.speedMetresPerSecond, within: 1000)
        try check("disturbances.moment", magnet.moment, within: 1e6)
      }
    }
  }
}

extension Motion {
  func validate() throws(ScenarioError) {
    try check("motion.route.turnSeconds", route.turnSeconds, 0.1...1000)
    for (index, leg) in route.legs.enumerated() {
      let before = route.legs[index == 0 ? route.legs.count - 1 : index - 1]
      try check("motion.route.legs.seconds", leg.seconds, route.turnSeconds...1e6)
      try check("motion.route.legs.course (rad)", leg.course.radians, within: 100)
      try check("motion.route.legs.heel (rad)", leg.heel.radians, within: .pi)
      let slowest = bow == .free ? 0 : 0.01
      try check("motion.route.legs.speed", leg.speedMetresPerSecond, slowest...1000)
      let turn = (leg.course - before.course).wrappedToHalfTurn.radians
      guard bow == .free || abs(turn) <= 150 * .pi / 180 else { throw .reversal(legIndex: index) }
    }
    if bow != .free {
      // A bow that follows a route needs one.
      try check("motion.route.legs.count", Double(route.legs.count), 1...1e6)
    }
    let parts = [
      ("north", north), ("east", east), ("up", up), ("heading", heading), ("pitch", pitch),
      ("roll", roll),
    ]
    for (name, part) in parts {
      try check("motion.\(name).mean", part.mean, within: 1e6)
      try check("motion.\(name).growthPerSecond", part.growthPerSecond, within: 1e3)
      for wave in part.waves {
        try check("motion.\(name).waves.amplitude", wave.amplitude, within: 1e5)
        try check("motion.\(name).waves.hertz", wave.hertz, 0...1e4)
        try check("motion.\(name).waves.phase", wave.phase, within: 1e3)
      }
      for ramp in part.ramps {
        try check("motion.\(name).ramps.fromSeconds", ramp.fromSeconds, 0...1e8)
        try check("motion.\(name).ramps.seconds", ramp.seconds, 0.1...1e6)
        try check("motion.\(name).ramps.change", ramp.change, within: 1e5)
      }
    }
  }
}

extension ReceiverModel {
  func validate() throws(ScenarioError) {
    try check("receiver.rateHertz", rateHertz, 0.001...100)
    try check("receiver.horizontalDriftMetres", horizontalDriftMetres, 0...1e5)
    try check("receiver.verticalDriftMetres", verticalDriftMetres, 0...1e5)
    try check("receiver.driftSeconds", driftSeconds, 0.001...1e9)
    try check("receiver.noiseMetres", noiseMetres, 0...1e5)
    try check("receiver.velocityNoise", velocityNoise, 0...1000)
    try check("receiver.latencySeconds", latencySeconds, 0...10)
    try check("receiver.timeToFirstFixSeconds", timeToFirstFixSeconds, 0...1e6)
    try check("receiver.leastSpeedForCourse", leastSpeedForCourse, 0...1000)
    try check("receiver.horizontalDilution", horizontalDilution, 0.1...50)
    try check("receiver.satellites", Double(satellites), 4...60)
    for outage in outages {
      try check("receiver.outages.fromSeconds", outage.fromSeconds, within: 1e9)
      try check("receiver.outages.toSeconds", outage.toSeconds, outage.fromSeconds...1e9)
    }
  }
}

extension InertialErrorModel {
  func validate(_ name: String) throws(ScenarioError) {
    try check("\(name).turnOnBias", turnOnBias, 0...1000)
    try check("\(name).biasWalk", biasWalk, 0...1000)
    try check("\(name).noiseDensity", noiseDensity, 0...1000)
    try check("\(name).response", response, within: 100)
    try limits.validate("\(name).limits")
  }
}

extension ReadingLimits {
  func validate(_ name: String) throws(ScenarioError) {
    if let fullScale { try check("\(name).fullScale", fullScale, 1e-12...1e9) }
    if let step { try check("\(name).step", step, 1e-15...1e9) }
  }
}

private func check(
  _ name: String, _ value: Double, _ expected: ClosedRange<Double>
) throws(ScenarioError) {
  // NaN lies in no range.
  guard expected.contains(value) else {
    throw .parameter(name: name, value: value, expected: expected)
  }
}

private func check(_ name: String, _ value: Double, within bound: Double) throws(ScenarioError) {
  try check(name, value, -bound...bound)
}

private func check(
  _ name: String, _ value: SIMD3<Double>, within bound: Double
) throws(ScenarioError) {
  try check("\(name).x", value.x, within: bound)
  try check("\(name).y", value.y, within: bound)
  try check("\(name).z", value.z, within: bound)
}

private func check(_ name: String, _ value: Matrix3, within bound: Double) throws(ScenarioError) {
  try check("\(name), first row", value.r0, within: bound)
  try check("\(name), second row", value.r1, within: bound)
  try check("\(name), third row", value.r2, within: bound)
  guard value.inverse != nil else { throw .singularMatrix(name: name) }
}
