// SPDX-License-Identifier: Apache-2.0

/// How far a running download is; lives in memory only.
package struct DownloadProgress: Hashable, Sendable {
    /// Bytes on disk, those of earlier runs included.
    package var receivedBytes: Int64 = 0
    /// Nil when the server did not say.
    package var totalBytes: Int64?
    package var doneSegments: Int?
    package var totalSegments: Int?
    /// How much of the mux is done, from 0 to 1, while there is one.
    package var muxedFraction: Double?
    package var bytesPerSecond: Double?
    /// What the download waits for, such as the next try.
    package var waiting: String?

    package init() {}

    /// From 0 to 1, nil without a known total.
    package var fraction: Double? {
        if let totalBytes, totalBytes > 0 {
            return min(1, Double(receivedBytes) / Double(totalBytes))
        }
        if let doneSegments, let totalSegments, totalSegments > 0 {
            return Double(doneSegments) / Double(totalSegments)
        }
        return nil
    }

    /// Seconds to the end at the present speed, nil when that cannot be told.
    package var remainingSeconds: Double? {
        guard let bytesPerSecond, bytesPerSecond > 0, let fraction, fraction > 0 else { return nil }
        if let totalBytes { return Double(totalBytes - receivedBytes) / bytesPerSecond }
        let expected = Double(receivedBytes) / fraction
        return (expected - Double(receivedBytes)) / bytesPerSecond
    }
}
