// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

extension PageMedia {
    /// The order of the forms of one medium.
    ///
    /// Streams come first, followed by the tallest file.
    var rank: Int {
        switch format {
        case .hls: 30_000
        case .dash: 20_000
        case .video: 10_000 + (height ?? 0)
        case .audio: 5_000
        }
    }

    /// Whether the form has sound without pictures.
    var isAudio: Bool { format == .audio }

    /// Whether the path contains words that are typical of an advertisement or a preview.
    var hasNameOfDecoration: Bool {
        let words = address.path.suffix(256).lowercased().split { !$0.isLetter }
        let decorations: Set<Substring> = [
            "ad", "ads", "advert", "preroll", "gif", "gifv", "preview", "previews", "trailer",
            "trailers", "teaser", "thumb", "thumbs", "hover", "background",
        ]
        return words.contains(where: decorations.contains)
    }

    /// The directory and the name without the quality and the extension, or nil if nothing else
    /// would be left.
    ///
    /// Forms of one medium have the same stem.
    var stem: String? {
        guard format == .video || format == .audio else { return nil }
        let path = address.path
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let words = name.prefix { $0 != "." }.split { !$0.isLetter && !$0.isNumber }
        let rest = words.filter { Self.qualities[$0.lowercased()] == nil }
        guard !rest.isEmpty, rest.joined().count >= 3 else { return nil }
        let folder = path.dropLast(name.count)
        return "\(address.origin)\(folder)\(rest.joined(separator: "-")) \(isAudio)"
    }
}
