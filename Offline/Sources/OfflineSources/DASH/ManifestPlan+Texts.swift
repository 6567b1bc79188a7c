// SPDX-License-Identifier: Apache-2.0
import OfflineModel

extension ManifestPlan {
    /// Adds the subtitles that can be kept, and notes about all others.
    mutating func addTexts(_ sets: [AdaptationSet]) throws(PlaylistError) {
        let usable = sets.filter { $0.isPlainText && manifest.periods.count == 1 }
        let kept = tracks.isEmpty || usable.isEmpty ? [] : usable.prefix(Self.languageLimit)
        for set in kept {
            var parts = try list.list(set.representations[0], in: manifest.periods[0], isLast: true)
            for index in parts.indices { parts[index].isText = true }
            let description = TrackDescription(
                content: .subtitles,
                language: set.languageCode,
                isDefault: set.roles.contains("main"),
                isForced: set.roles.contains("forced-subtitle")
                    || set.roles.contains("forced_subtitle"),
                name: TrackDescription.name(set.label),
                purpose: TrackPurpose(roles: set.roles)
            )
            tracks.append(Track(parts: parts, description: description))
        }
        let leftOut = sets.filter { set in !kept.contains(set) }.map(\.name)
        guard !leftOut.isEmpty else { return }
        let reason =
            usable.count == sets.count || usable.count > kept.count
            ? "" : " This program keeps those in files of WebVTT, in streams of one period."
        notes.append("Subtitles were left out: \(Self.text(leftOut)).\(reason)")
    }
}

extension AdaptationSet {
    /// Whether the subtitles are WebVTT without a container.
    var isPlainText: Bool {
        let first = representations[0]
        return first.mediaType == "text/vtt" && first.protections.isEmpty
    }
}
