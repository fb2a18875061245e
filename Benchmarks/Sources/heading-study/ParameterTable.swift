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

  /// Holds the table against the type itself, so that no parameter is forgotten or has another's name.
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
    TunedParameter("longestAlignment", \.longestAlignment),
    TunedParameter("alignmentTime", \.alignmentTime),
    TunedParameter("alignmentHeadingSigma", \.alignmentHeadingSigma),
    TunedParameter("initialHeadingSigma", \.initialHeadingSigma),
    TunedParameter("initialBiasSigma", \.initialBiasSigma),
    TunedParameter("initialScaleSigma", \.initialScaleSigma),
    TunedParameter("initialVelocitySigma", \.initialVelocitySigma),
    TunedParameter("initialStrengthSigma", \.initialStrengthSigma),
    TunedParameter("initialLatencySigma", \.initialLatencySigma),
    TunedParameter("rateNoise", \.rateNoise),
    TunedParameter("rateScaleNoise", \.rateScaleNoise),
    TunedParameter("biasDrift", \.biasDrift),
    TunedParameter("forceNoise", \.forceNoise),
    TunedParameter("velocityNoise", \.velocityNoise),
    TunedParameter("restVelocityNoise", \.restVelocityNoise),
    TunedParameter("restRateNoise", \.restRateNoise),
    TunedParameter("hiddenTime", \.hiddenTime),
    TunedParameter("biasGate", \.biasGate),
    TunedParameter("contradictionTime", \.contradictionTime),
    TunedParameter("fieldNoise", \.fieldNoise),
    TunedParameter("fieldRateNoise", \.fieldRateNoise),
    TunedParameter("disturbanceSigma", \.disturbanceSigma),
    TunedParameter("disturbanceTime", \.disturbanceTime),
    TunedParameter("misfitGain", \.misfitGain),
    TunedParameter("misfitTime", \.misfitTime),
    TunedParameter("ironSigma", \.ironSigma),
    TunedParameter("ironTurn", \.ironTurn),
    TunedParameter("ironTime", \.ironTime),
    TunedParameter("strengthDrift", \.strengthDrift),
    TunedParameter("latencyDrift", \.latencyDrift),
    TunedParameter("largestLatency", \.largestLatency),
    TunedParameter("surpriseGate", \.surpriseGate),
    TunedParameter("surpriseTime", \.surpriseTime),
    TunedParameter("surpriseToDisturbance", \.surpriseToDisturbance),
    TunedParameter("surpriseToIron", \.surpriseToIron),
    TunedParameter("surpriseToStrength", \.surpriseToStrength),
    TunedParameter("surpriseToHeading", \.surpriseToHeading),
    TunedParameter("weakestHorizontal", \.weakestHorizontal),
    TunedParameter("overruleTime", \.overruleTime),
    TunedParameter("overruleAngle", \.overruleAngle),
    TunedParameter("overruleMisfit", \.overruleMisfit),
    TunedParameter("overruleSteadiness", \.overruleSteadiness),
    TunedParameter("localFieldSigma", \.localFieldSigma),
    TunedParameter("accuracyFactor", \.accuracyFactor),
    TunedParameter("disturbedRatio", \.disturbedRatio),
    TunedParameter("magnetRatio", \.magnetRatio),
    TunedParameter("disturbanceWordTime", \.disturbanceWordTime),
    TunedParameter("recoveryTime", \.recoveryTime),
    TunedParameter("turnRateTime", \.turnRateTime),
  ]
}
