import Fusion
import Study

/// A parameter of the filter by name.
struct TunedParameter: Sendable {
  let name: String
  let path: WritableKeyPath<StrapdownFilter.Parameters, Double> & Sendable

  init(
    _ name: String, _ path: WritableKeyPath<StrapdownFilter.Parameters, Double> & Sendable
  ) {
    self.name = name
    self.path = path
  }

  /// The parameter of that name.
  static func named(_ name: String) throws -> TunedParameter {
    guard let found = all.first(where: { $0.name == name }) else {
      throw StudyError(
        "\(name): StrapdownFilter has no such parameter; it has \(all.map(\.name).joined(separator: ", "))"
      )
    }
    return found
  }

  /// Holds the table against the type itself, so that no parameter is forgotten or has another's
  /// name.
  static func checkTable() throws {
    let names = Mirror(reflecting: StrapdownFilter.Parameters()).children.compactMap(\.label)
    let forgotten = names.filter { name in !all.contains { $0.name == name } }
    guard forgotten.isEmpty, names.count == all.count else {
      throw StudyError(
        "the table has \(all.count) parameters and StrapdownFilter.Parameters \(names.count); "
          + "add to ParameterTable.swift: \(forgotten.joined(separator: ", "))")
    }
    for parameter in all {
      var changed = StrapdownFilter.Parameters()
      changed[keyPath: parameter.path] = -1
      let value = Mirror(reflecting: changed).descendant(parameter.name) as? Double
      guard value == -1 else {
        throw StudyError("\(parameter.name): the table's key path is another parameter's")
      }
    }
  }

  /// Every parameter, in the order of its declaration.
  static let all: [TunedParameter] = [
    TunedParameter("correctionInterval", \.correctionInterval),
    TunedParameter("longestStep", \.longestStep),
    TunedParameter("coarseStep", \.coarseStep),
    TunedParameter("oldestField", \.oldestField),
    TunedParameter("gapRate", \.gapRate),
    TunedParameter("initialTiltSigma", \.initialTiltSigma),
    TunedParameter("settledTiltSigma", \.settledTiltSigma),
    TunedParameter("initialHeadingSigma", \.initialHeadingSigma),
    TunedParameter("recalibratedBiasSigma", \.recalibratedBiasSigma),
    TunedParameter("initialBiasSigma", \.initialBiasSigma),
    TunedParameter("initialScaleSigma", \.initialScaleSigma),
    TunedParameter("initialVelocitySigma", \.initialVelocitySigma),
    TunedParameter("swayTime", \.swayTime),
    TunedParameter("initialStrengthSigma", \.initialStrengthSigma),
    TunedParameter("recalibratedStrengthSigma", \.recalibratedStrengthSigma),
    TunedParameter("initialLatencySigma", \.initialLatencySigma),
    TunedParameter("rateNoise", \.rateNoise),
    TunedParameter("rateScaleNoise", \.rateScaleNoise),
    TunedParameter("biasDrift", \.biasDrift),
    TunedParameter("velocityNoise", \.velocityNoise),
    TunedParameter("velocityMotionNoise", \.velocityMotionNoise),
    TunedParameter("motionTime", \.motionTime),
    TunedParameter("lastingTime", \.lastingTime),
    TunedParameter("trustedAcceleration", \.trustedAcceleration),
    TunedParameter("forceLatency", \.forceLatency),
    TunedParameter("restVelocityNoise", \.restVelocityNoise),
    TunedParameter("restRateNoise", \.restRateNoise),
    TunedParameter("hiddenTime", \.hiddenTime),
    TunedParameter("biasGate", \.biasGate),
    TunedParameter("contradictionTime", \.contradictionTime),
    TunedParameter("roomSigma", \.roomSigma),
    TunedParameter("largestRoomSigma", \.largestRoomSigma),
    TunedParameter("roomTime", \.roomTime),
    TunedParameter("bendTime", \.bendTime),
    TunedParameter("otherBendTime", \.otherBendTime),
    TunedParameter("foreignGate", \.foreignGate),
    TunedParameter("ironSigma", \.ironSigma),
    TunedParameter("ironDrift", \.ironDrift),
    TunedParameter("strengthDrift", \.strengthDrift),
    TunedParameter("freeIronSigma", \.freeIronSigma),
    TunedParameter("roughHeadingSigma", \.roughHeadingSigma),
    TunedParameter("evidenceGate", \.evidenceGate),
    TunedParameter("leastCompetition", \.leastCompetition),
    TunedParameter("matureTime", \.matureTime),
    TunedParameter("testedSigma", \.testedSigma),
    TunedParameter("latencyDrift", \.latencyDrift),
    TunedParameter("latencyBendTime", \.latencyBendTime),
    TunedParameter("largestLatency", \.largestLatency),
    TunedParameter("weakestHorizontal", \.weakestHorizontal),
    TunedParameter("localFieldAccuracy", \.localFieldAccuracy),
    TunedParameter("accuracyFactor", \.accuracyFactor),
    TunedParameter("residualPeakFactor", \.residualPeakFactor),
    TunedParameter("directionFactor", \.directionFactor),
    TunedParameter("knownField", \.knownField),
    TunedParameter("untestedSigma", \.untestedSigma),
    TunedParameter("suspicion", \.suspicion),
    TunedParameter("untestedAccuracy", \.untestedAccuracy),
    TunedParameter("largestConflict", \.largestConflict),
    TunedParameter("disturbedRatio", \.disturbedRatio),
    TunedParameter("magnetRatio", \.magnetRatio),
    TunedParameter("disturbanceWordTime", \.disturbanceWordTime),
    TunedParameter("recoveryTime", \.recoveryTime),
    TunedParameter("turnRateTime", \.turnRateTime),
  ]
}
