// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// Detects the kind of a body from its first bytes.
///
/// The bytes decide. The server's media type is often wrong and counts only if the bytes are
/// ambiguous.
package enum ContentSniffer {
    /// The largest number of bytes that the detection uses.
    package static let prefixLength = 4096

    /// Returns the kind of the content that starts with these bytes.
    ///
    /// - Parameters:
    ///   - bytes: The first `prefixLength` bytes, or all bytes of a shorter content.
    ///   - contentType: The server's media type in lowercase, without parameters.
    ///   - isFeed: Returns whether a text starts a feed.
    /// - Returns: The kind, or `.unknown`.
    package static func kind(
        of bytes: some Collection<UInt8>,
        contentType: String?,
        isFeed: (String) -> Bool
    ) -> ContentKind {
        let bytes = Array(bytes.prefix(prefixLength))
        return signature(bytes) ?? container(bytes) ?? frames(bytes, contentType)
            ?? text(bytes, contentType: contentType, isFeed) ?? fallback(bytes)
    }

    private static let signatures: [([UInt8], ContentKind)] = [
        ([UInt8]("OggS".utf8), .ogg),
        ([UInt8]("fLaC".utf8), .flac),
        ([UInt8]("FLV\u{1}".utf8), .flv),
        ([UInt8]("%PDF-".utf8), .pdf),
        ([UInt8]("GIF8".utf8), .gif),
        ([0x89] + [UInt8]("PNG\r\n\u{1a}\n".utf8), .png),
        ([0xff, 0xd8, 0xff], .jpeg),
        ([0x1f, 0x8b, 0x08], .gzip),
    ]

    private static func signature(_ bytes: [UInt8]) -> ContentKind? {
        if let match = signatures.first(where: { bytes.starts(with: $0.0) }) { return match.1 }
        if bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) {
            return contains(bytes.prefix(64), "webm") ? .webm : .matroska
        }
        if bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]) {
            return contains(bytes.prefix(80), "mimetypeapplication/epub+zip") ? .epub : .zip
        }
        guard bytes.starts(with: "RIFF".utf8), bytes.count >= 12 else { return nil }
        return switch String(decoding: bytes[8..<12], as: UTF8.self) {
        case "WAVE": .wav
        case "AVI ": .avi
        case "WEBP": .webp
        default: nil
        }
    }

    /// Returns the kind of a format made of boxes, each with a length and a four-letter name.
    private static func container(_ bytes: [UInt8]) -> ContentKind? {
        guard bytes.count >= 12 else { return nil }
        let brand = String(decoding: bytes[8..<12], as: UTF8.self)
        switch String(decoding: bytes[4..<8], as: UTF8.self) {
        case "ftyp":
            switch brand {
            case "M4A ", "M4B ": return .m4a
            case "qt  ": return .quickTime
            case "avif", "avis": return .avif
            case "heic", "heix", "mif1", "msf1": return .heic
            default: return .mp4
            }
        case "styp", "moof", "sidx", "emsg", "prft": return .fragmentedMP4Segment
        case "moov", "mdat", "wide": return .quickTime
        default: return nil
        }
    }

    /// Returns the kind of a format without a file header, by the sync bytes of frames or packets.
    private static func frames(_ bytes: [UInt8], _ contentType: String?) -> ContentKind? {
        if isTransportStream(bytes) { return .mpegTS }
        var start = 0
        if bytes.starts(with: "ID3".utf8), bytes.count >= 10 {
            start = ID3Tag.length(bytes) ?? 0
            guard start + 1 < bytes.count else { return audioKind(contentType) ?? .mp3 }
        }
        guard start + 1 < bytes.count, bytes[start] == 0xff else { return nil }
        switch bytes[start + 1] & 0xf6 {
        case 0xf0: return .aac
        case 0xf2, 0xe2: return isAudioFrame(bytes[start...]) ? .mp3 : nil
        default: return nil
        }
    }

    private static func isTransportStream(_ bytes: [UInt8]) -> Bool {
        let syncBytes = stride(from: 0, to: bytes.count, by: 188).prefix(5).map { bytes[$0] }
        return syncBytes.count >= 2 && syncBytes.allSatisfy { $0 == 0x47 }
    }

    /// Returns whether the bit rate and the sample rate of a frame header are valid.
    private static func isAudioFrame(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let third = bytes.dropFirst(2).first else { return false }
        return third >> 4 != 0xf && third >> 4 != 0 && third & 0x0c != 0x0c
    }

    private static func audioKind(_ contentType: String?) -> ContentKind? {
        contentType.map { $0.contains("aac") } == true ? .aac : nil
    }

    private static func text(
        _ bytes: [UInt8],
        contentType: String?,
        _ isFeed: (String) -> Bool
    ) -> ContentKind? {
        // A playlist with control characters is damaged, but not a file of another kind.
        if withoutMark(bytes).starts(with: "#EXTM3U".utf8) { return .hlsPlaylist }
        guard let text = leadingText(bytes) else { return nil }
        if text.hasPrefix("WEBVTT"), text.dropFirst(6).first?.isWhitespace ?? true { return .vtt }
        if isFeed(text) { return .feed }
        guard let first = text.first(where: { !$0.isWhitespace }) else { return nil }
        if first == "<" {
            let lower = text.lowercased()
            if lower.contains("<mpd") { return .dash }
            let tags = ["<!doctype html", "<html", "<head", "<body", "<script", "<title", "<meta"]
            if tags.contains(where: { lower.contains($0) }) { return .html }
        }
        return contentType == "text/html" || contentType == "application/xhtml+xml" ? .html : nil
    }

    /// Returns the bytes as text without a byte order mark, or nil if the bytes are binary.
    private static func leadingText(_ bytes: [UInt8]) -> String? {
        let bytes = withoutMark(bytes)
        let isText = bytes.allSatisfy { $0 >= 0x20 || (0x09...0x0d).contains($0) || $0 == 0x1b }
        return isText ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Returns the bytes after a byte order mark.
    private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
    }

    private static func fallback(_ bytes: [UInt8]) -> ContentKind {
        // A media type alone is not enough, because media without a known signature would not play.
        guard !bytes.isEmpty, leadingText(bytes) != nil else { return .unknown }
        return .text
    }

    private static func contains(_ bytes: ArraySlice<UInt8>, _ word: String) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(word)
    }
}
