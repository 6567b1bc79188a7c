// SPDX-License-Identifier: Apache-2.0
import Foundation

extension RawCapture {
    /// When it crashed.
    var date: Date? {
        signal.map {
            Date(
                timeIntervalSince1970: TimeInterval($0.seconds)
                    + TimeInterval($0.nanoseconds) / 1_000_000_000
            )
        }
    }
}
