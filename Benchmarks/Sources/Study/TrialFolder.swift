import Foundation
import RecordedTrials

/// Every trial of the reference data's folder, by name.
public func loadTrials(shared: String) throws -> [Trial] {
  let folder = URL(fileURLWithPath: shared).appendingPathComponent("data/broad").path
  // A folder that is not there has no trials either.
  let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
  let files = names.filter { $0.hasSuffix(".bin") }.sorted()
  guard !files.isEmpty else {
    throw StudyError(
      "\(folder): no trial here; expected ../shared/data/broad/*.bin, and SHARED to be ../shared")
  }
  return try parallel(files.count) { n in
    Result { try Trial(path: folder + "/" + files[n]) }
  }.map { try $0.get() }
}
