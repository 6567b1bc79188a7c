// SPDX-License-Identifier: Apache-2.0
import Foundation

extension RawCapture {
    /// The date of the crash.
    var date: Date? {
        signal.map {
            Date(
                timeIntervalSince1970: TimeInterval($0.seconds)
                    + TimeInterval($0.nanoseconds) / 1_000_000_000
            )
        }
    }
}
