// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// The tracks of a manifest to keep, in all periods.
struct ManifestPlan {
    /// The tracks, starting with the pictures.
    var tracks: [Track] = []
    /// The omissions and replacements, in sentences for the user.
    var notes: [String] = []

    /// The largest number of languages to keep, for sound and for subtitles.
    static let languageLimit = 16
    /// The seconds by which the clocks of tracks may differ.
    private static let clockTolerance = 0.25

    let manifest: Manifest
    /// Lists the parts of all tracks within one limit.
    var list: RepresentationParts

    /// Chooses the tracks and lists the parts.
    ///
    /// - Throws: `PlaylistError` for a stream that cannot be kept.
    init(
        _ manifest: Manifest,
        _ choice: MediaChoice,
        limits: PlaylistLimits = .init()
    ) throws(PlaylistError) {
        self.manifest = manifest
        list = RepresentationParts(limits)
        let first = try ManifestChoice(manifest.periods[0], choice)
        var choices = [first]
        // The pictures of all periods have the size of the first period, if the periods offer this
        // size.
        var same = choice
        if let height = first.pictures?.height { same.quality = .height(height) }
        for period in manifest.periods.dropFirst() {
            let other = try ManifestChoice(period, same)
            guard (other.pictures == nil) == (first.pictures == nil) else {
                throw .unsupported("periods without pictures between others")
            }
            choices.append(other)
        }
        notes = first.notes
        let sound = try commonSound(choices)
        try requireOneClock(choices, sound)
        if first.pictures != nil {
            let content: TrackDescription.Content = sound.isEmpty ? .everything : .pictures
            let isSoundOnly = choice.quality == .audio
            try add(
                choices.map(\.pictures),
                TrackDescription(content: isSoundOnly ? .sound : content)
            )
        }
        let isAlone = first.pictures == nil && sound.count == 1
        for entry in sound {
            let description = TrackDescription(
                content: isAlone ? .everything : .sound,
                language: entry.key.language,
                name: TrackDescription.name(entry.key.label),
                purpose: TrackPurpose(roles: entry.key.roles)
            )
            try add(entry.representations, description)
        }
        try addTexts(first.texts)
    }

    /// Sound that every period has.
    private struct CommonSound {
        var key: ManifestChoice.Sound.Key
        var representations: [Representation?]
    }

    private mutating func commonSound(
        _ choices: [ManifestChoice]
    ) throws(PlaylistError) -> [CommonSound] {
        let all = choices[0].sound
        // If each period has one sound, all periods have the same sound, whatever the names are.
        if choices.allSatisfy({ $0.sound.count == 1 }) {
            return [
                CommonSound(
                    key: all[0].key,
                    representations: choices.map { $0.sound[0].representation }
                )
            ]
        }
        let found = all.compactMap { sound -> CommonSound? in
            let others = choices.compactMap { choice in
                choice.sound.first { $0.key == sound.key }?.representation
            }
            guard others.count == choices.count else { return nil }
            return CommonSound(key: sound.key, representations: others)
        }
        guard !found.isEmpty || choices.allSatisfy(\.sound.isEmpty) else {
            throw .unsupported("periods with different languages of sound")
        }
        let kept = found.prefix(Self.languageLimit)
        let names = all.filter { sound in !kept.contains { $0.key == sound.key } }.map { sound in
            String((sound.key.label ?? sound.key.language ?? "unnamed").prefix(40))
        }
        if !names.isEmpty { notes.append("Sound was left out: \(Self.text(names)).") }
        return Array(kept)
    }

    /// Throws unless the tracks of a period start at the same media time.
    private func requireOneClock(
        _ choices: [ManifestChoice],
        _ sound: [CommonSound]
    ) throws(PlaylistError) {
        for (number, choice) in choices.enumerated() {
            let all = [choice.pictures] + sound.map { $0.representations[number] }
            let offsets = all.compactMap { $0?.segments.offsetSeconds }
            guard let first = offsets.first,
                offsets.allSatisfy({
                    abs($0 - first) <= Self.clockTolerance
                })
            else {
                throw .unsupported("pictures and sound with different clocks")
            }
        }
    }

    private mutating func add(
        _ representations: [Representation?],
        _ description: TrackDescription
    ) throws(PlaylistError) {
        var track = Track(parts: [], description: description)
        for (number, period) in manifest.periods.enumerated() {
            guard let representation = representations[number] else { continue }
            var parts = try list.list(
                representation,
                in: period,
                isLast: number == manifest.periods.count - 1
            )
            if number > 0, let first = parts.firstIndex(where: { !$0.isInitialization }) {
                parts[first].isDiscontinuity = true
            }
            track.parts += parts
        }
        notes += GapNote.text(Self.gaps(track), description.content)
        tracks.append(track)
    }

    private static func gaps(_ track: Track) -> [Range<Double>] {
        var gaps: [Range<Double>] = []
        var time = 0.0
        for part in track.parts {
            let end = time + (part.duration ?? 0)
            if part.isGap { gaps.append(time..<end) }
            time = end
        }
        return gaps
    }

    /// Returns names as one string, with the number of the names that are left out.
    static func text(_ names: [String]) -> String {
        let more = names.count > 8 ? " and \(names.count - 8) more" : ""
        return names.prefix(8).joined(separator: ", ") + more
    }
}
