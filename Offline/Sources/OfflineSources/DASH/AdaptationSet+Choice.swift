// SPDX-License-Identifier: Apache-2.0
import OfflineModel

extension AdaptationSet {
    /// The name for the user.
    var name: String {
        let text = label.flatMap { $0.isEmpty ? nil : $0 } ?? language ?? "unnamed"
        return String(text[...].trimmingSpaces.prefix(40))
    }

    /// The three-letter code of the language, or nil if the language is unknown.
    var languageCode: String? { language.flatMap(TrackDescription.languageCode) }

    /// Whether the set plays unless the user chooses otherwise.
    var isMain: Bool { roles.contains("main") }

    var soundKey: ManifestChoice.Sound.Key {
        .init(language: languageCode, label: label, roles: roles)
    }
}

extension Representation {
    /// The name of the container for messages, of letters only.
    var container: String {
        ["video/webm": "WebM", "audio/webm": "WebM"][mediaType] ?? "an unknown format"
    }

    /// The properties for a choice.
    ///
    /// Among equal sizes, H.264 plays in most places.
    var size: PictureSize {
        let codec = codecs.first?.prefix(4).lowercased() ?? ""
        let preference = ["avc1": 2, "avc3": 2, "hvc1": 1, "hev1": 1][codec] ?? 0
        return PictureSize(
            width: width,
            height: height,
            bandwidth: bandwidth,
            preference: preference
        )
    }

    /// The rank of sound.
    ///
    /// AAC wins because AAC plays everywhere, and then more channels win.
    var soundRank: (Int, Int, Int) {
        (codecs.first?.lowercased().hasPrefix("mp4a.40") == true ? 1 : 0, channels ?? 2, bandwidth)
    }

    /// The format of the sound for notes.
    var soundFormat: String {
        let codec = codecs.first.map { String($0.prefix { $0 != "." }.prefix(8)) } ?? "unknown"
        return "\(codec), \(channels ?? 2) channels"
    }
}
