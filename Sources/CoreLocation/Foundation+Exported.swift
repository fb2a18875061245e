// Files written for an iPhone that import only CoreLocation use Date, DispatchQueue and RunLoop.
@_exported import Foundation

/// Runs `body`. On Apple's platforms it also releases what Objective-C has autoreleased, of which there is
/// nothing here; Foundation lacks it on Linux.
/// - Returns: What `body` returns.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}
