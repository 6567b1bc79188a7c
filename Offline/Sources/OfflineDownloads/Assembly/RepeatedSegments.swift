// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import OfflineSources

/// Finds tracks for which a server answered each segment with the same bytes, such as a clip that
/// shows an error.
///
/// Test tones also repeat, so the result is a note instead of a failure.
struct RepeatedSegments {
    /// Repetitions of fewer or smaller segments happen in real streams, for example in silence.
    private static let leastCount = 4
    private static let leastSize: Int64 = 4_096

    /// The parts with pictures or sound on disk.
    let parts: [PartRecord]
    let tracks: [TrackDescription]
    /// Returns the path of a part.
    let path: (PartRecord) -> String

    /// The notes for the user.
    var notes: [String] {
        let segments = parts.filter { !$0.part.isInitialization && $0.size != nil }
        return Dictionary(grouping: segments, by: \.id.track).sorted { $0.key < $1.key }
            .filter { areEqual($0.value) }
            .map { track, segments in
                let content = tracks.indices.contains(track) ? tracks[track].text : "film"
                return "The server sent the same bytes for all \(segments.count) segments of the "
                    + "\(content): look whether it is a notice instead of the content."
            }
    }

    private func areEqual(_ segments: [PartRecord]) -> Bool {
        let sizes = Set(segments.compactMap(\.size))
        // A playlist may repeat a segment on purpose.
        let areDifferent = Set(segments.map(\.part.identity)).count == segments.count
        guard segments.count >= Self.leastCount, areDifferent, sizes.count == 1,
            let size = sizes.first, size >= Self.leastSize
        else { return false }
        let first = path(segments[0])
        return segments.dropFirst().allSatisfy {
            FileManager.default.contentsEqual(atPath: first, andPath: path($0))
        }
    }
}
