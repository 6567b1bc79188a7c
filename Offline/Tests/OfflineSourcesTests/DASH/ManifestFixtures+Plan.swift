// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Tidings
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

/// Functions that parse manifests and show their plans as text.
extension ManifestFixtures {
    static func plan(_ text: String, _ quality: QualityChoice = .best) throws -> ManifestPlan {
        try plan(text, MediaChoice(quality: quality))
    }

    static func plan(_ text: String, _ choice: MediaChoice) throws -> ManifestPlan {
        let manifest = try MPDParser.parse(Array(text.utf8), at: try WebAddress(base))
        return try ManifestPlan(manifest, choice)
    }

    /// Returns the parts of each track.
    ///
    /// A line holds `i` for initialization sections, `g` for gaps, `|` before a discontinuity, and
    /// the last part of the path with the range.
    static func lines(_ plan: ManifestPlan) -> [String] {
        plan.tracks.map { track in
            let head = "\(track.description.content) \(track.description.language ?? "-"):"
            return head
                + track.parts.map { part in
                    let range = part.range.map { "[\($0.offset)+\($0.length ?? -1)]" } ?? ""
                    let name = String(part.address.path.dropFirst("/show/".count))
                    let mark = part.isInitialization ? "i:" : part.isDiscontinuity ? "|" : ""
                    return " " + (part.isGap ? "g" : mark + name + range)
                }.joined()
        }
    }

    static func durations(_ track: Track) -> [Double] {
        track.parts.compactMap(\.duration)
    }
}
