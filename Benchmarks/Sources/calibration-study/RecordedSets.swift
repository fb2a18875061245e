import CalibrationFit
import Foundation
import Quantities
import RecordedTrials
import Study

/// A recording that is fitted, a trial that fits are judged on, or both.
struct SetRecording: Sendable {
  let set: String
  let trial: Trial
  /// Recordings of one key were made by one sensor with the same iron.
  let key: String
  let isJudge: Bool
  /// What the recorded field is of the field that counts as true.
  var reference = DrawnDistortion.none
}

extension DrawnDistortion {
  /// This one after another.
  func after(_ first: DrawnDistortion) -> DrawnDistortion {
    var both = self
    both.shape = shape * first.shape
    both.offset = shape * first.offset + offset
    return both
  }
}

/// All recordings of the reference data that a calibration can be fitted to.
enum RecordedSets {
  static let names = ["BROAD", "T-stick", "phones"]

  static func load(shared: String) throws -> [SetRecording] {
    try broad(shared) + tstick(shared) + phones(shared)
  }

  private static func broad(_ shared: String) throws -> [SetRecording] {
    try loadTrials(shared: shared).map {
      SetRecording(
        set: "BROAD", trial: $0, key: "BROAD", isJudge: StudyData.undisturbed.contains($0.name))
    }
  }

  private static func tstick(_ shared: String) throws -> [SetRecording] {
    let folder = shared + "/data/tstick"
    return try rows(folder).map { row in
      SetRecording(
        set: "T-stick", trial: try Trial(path: folder + "/" + row[1], name: row[0]),
        key: "T-stick", isJudge: row[2] == "T-stick normal")
    }
  }

  /// Each phone of a day. The field that counts as true is the one by a fit to the optical attitude of the
  /// trials that judge.
  private static func phones(_ shared: String) throws -> [SetRecording] {
    let folder = shared + "/data/phones"
    let listed = try rows(folder)
    let trials = try parallel(listed.count) { n in
      Result { try Trial(packedTable: folder + "/" + listed[n][1], name: listed[n][0]) }
    }.map { try $0.get() }
    var recordings: [SetRecording] = []
    for key in Set(listed.map { $0[3] }).sorted() {
      let own = listed.indices.filter { listed[$0][3] == key }
      let hasClean = own.contains { listed[$0][2].contains("clean") }
      let judges = own.filter { !hasClean || listed[$0][2].contains("clean") }
      let reference = OpticalReference(judges.map { trials[$0] }).distortion
      for n in own {
        recordings.append(
          SetRecording(
            set: "phones", trial: trials[n], key: key, isJudge: judges.contains(n),
            reference: reference))
      }
      let turned = try Trial(packedTable: folder + "/" + key, name: key)
      recordings.append(
        SetRecording(
          set: "phones", trial: turned, key: key, isJudge: false, reference: reference))
    }
    return recordings
  }

  private static func rows(_ folder: String) throws -> [[String]] {
    guard let content = FileManager.default.contents(atPath: folder + "/trials.csv") else {
      throw StudyError("\(folder): no trials.csv here; expected SHARED to be ../shared")
    }
    return String(decoding: content, as: UTF8.self).split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }
}

/// The distortion by which the field of some trials is told best, with their optical attitude as known.
struct OpticalReference {
  private(set) var distortion = DrawnDistortion.none

  init(_ trials: [Trial]) {
    var samples: [(field: SIMD3<Double>, truth: Matrix3)] = []
    for trial in trials {
      let seen = trial.field.indices.filter { trial.isJudged[$0] && trial.field[$0] != nil }
      for i in Swift.stride(from: 0, to: seen.count, by: 2) {
        guard let field = trial.field[seen[i]] else { continue }
        let (x, y, z) = trial.truth[seen[i]].rows
        samples.append((field, Matrix3(rows: x, y, z)))
      }
    }
    guard !samples.isEmpty else { return }
    var earth = SIMD3(22.0, 0, 42)
    var weights = [Double](repeating: 1, count: samples.count)
    for _ in 0..<30 {
      // Shape and offset by least squares, the shape drawn a little to none.
      var normal = Matrix(order: 4)
      var right = Matrix(rows: 4, columns: 3)
      for (s, w) in zip(samples, weights) {
        let v = s.truth.transposed * earth
        let row = [v.x, v.y, v.z, 1]
        for i in 0..<4 {
          for j in 0..<4 { normal[i, j] += w * row[i] * row[j] }
          for k in 0..<3 { right[i, k] += w * row[i] * s.field[k] }
        }
      }
      let pull = 0.002 * Double(samples.count) * 100
      for i in 0..<3 {
        normal[i, i] += pull
        right[i, i] += pull
      }
      do { try normal.factorizeCholesky() } catch { return }
      normal.solve(into: &right)
      for k in 0..<3 {
        for i in 0..<3 { distortion.shape[k, i] = right[i, k] }
        distortion.offset[k] = right[3, k]
      }
      guard let inverse = distortion.shape.inverse else { return }
      var sum = SIMD3<Double>.zero
      var total = 0.0
      for (n, s) in samples.enumerated() {
        let v = s.truth * (inverse * (s.field - distortion.offset))
        let off = (v - earth).lengthSquared
        weights[n] = 1 / (1 + off / 16)
        sum += v * weights[n]
        total += weights[n]
      }
      // Its strength is nobody's, and its direction north.
      let mean = sum / total
      earth = SIMD3((mean.x * mean.x + mean.y * mean.y).squareRoot(), 0, mean.z)
      earth = earth * (47.5 / earth.length)
    }
  }
}
