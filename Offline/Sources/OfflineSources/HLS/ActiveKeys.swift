// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import Tidings
import TidingsHTTP

/// The keys that apply at one position of a media playlist.
///
/// A stream may declare one key per DRM system beside a plain key for the same content. The plain
/// key is sufficient. An unusable key is an error only when a segment depends on the key.
struct ActiveKeys {
    private enum Key {
        case plain(WebAddress, iv: [UInt8]?)
        case unusable(PlaylistError)
    }

    /// The keys by KEYFORMAT.
    ///
    /// A key applies until the next key of the same format.
    private var keys: [String: Key] = [:]
    private static let plainFormat = "identity"

    /// Applies an EXT-X-KEY tag.
    mutating func update(_ tag: PlaylistTag, base: WebAddress) throws(PlaylistError) {
        let attributes = try tag.attributes()
        guard let method = attributes["METHOD"]?.uppercased() else {
            throw tag.invalid("has no METHOD")
        }
        guard method != "NONE" else {
            keys = [:]
            return
        }
        let stated = attributes["KEYFORMAT"] ?? ""
        let format = stated.isEmpty ? Self.plainFormat : stated
        guard keys.count < 16 || keys[format] != nil else {
            throw tag.invalid("names too many key formats")
        }
        keys[format] = try key(method: method, format: format, attributes, tag, base: base)
    }

    /// Returns the encryption of the segment with a media sequence number, or nil if the segment is
    /// not encrypted.
    ///
    /// This method throws `.protected` or `.unsupported` if none of the keys is usable.
    func encryption(ofSegmentNumber number: Int) throws(PlaylistError) -> Encryption? {
        guard !keys.isEmpty else { return nil }
        if case .plain(let address, let iv)? = keys[Self.plainFormat] {
            return Encryption(
                keyAddress: address,
                iv: iv ?? Encryption.iv(ofSegmentNumber: number)
            )
        }
        let errors = keys.sorted { $0.key < $1.key }.compactMap { _, key in
            if case .unusable(let error) = key { error } else { nil }
        }
        if let error = errors.first { throw error }
        return nil
    }

    private func key(
        method: String,
        format: String,
        _ attributes: AttributeList,
        _ tag: PlaylistTag,
        base: WebAddress
    ) throws(PlaylistError) -> Key {
        let text = attributes["URI"] ?? ""
        guard format == Self.plainFormat, !text.lowercased().hasPrefix("skd:") else {
            return .unusable(protected(by: Self.system(format: format, address: text)))
        }
        switch method {
        case "AES-128":
            guard !text.isEmpty else { throw tag.invalid("has no URI") }
            let iv = try attributes["IV"].map { value throws(PlaylistError) in
                guard let iv = Self.iv(value) else { throw tag.invalid("has an invalid IV") }
                return iv
            }
            return .plain(try base.resolving(text[...], at: tag.number), iv: iv)
        case "SAMPLE-AES", "SAMPLE-AES-CTR", "SAMPLE-AES-CENC":
            return .unusable(protected(by: method))
        default:
            return .unusable(
                .unsupported("the unknown encryption method “\(method.prefix(40))”")
            )
        }
    }

    private func protected(by system: String) -> PlaylistError {
        PlaylistError(
            .protected,
            "The stream is protected by \(system). This program only supports streams without DRM. "
                + "Use another address of the content."
        )
    }

    private static func system(format: String, address: String) -> String {
        let format = format.lowercased()
        if format == "com.apple.streamingkeydelivery" || address.lowercased().hasPrefix("skd:") {
            return "FairPlay"
        }
        if format.contains("edef8ba9-79d6-4ace-a3c8-27dcd51d21ed") || format.contains("widevine") {
            return "Widevine"
        }
        if format.contains("9a04f079-9840-4286-ab92-e65be0885f95") || format.contains("playready") {
            return "PlayReady"
        }
        return "the key format “\(format.prefix(60))”"
    }

    /// Parses a hexadecimal number of at most 128 bits, such as `0x1F`, into 16 bytes.
    ///
    /// A short number is padded with leading zeros.
    private static func iv(_ text: String) -> [UInt8]? {
        guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return nil }
        let digits = text.utf8.dropFirst(2).map { Character(UnicodeScalar($0)).hexDigitValue }
        guard (1...32).contains(digits.count) else { return nil }
        let padded = [Int?](repeating: 0, count: 32 - digits.count) + digits
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 32, by: 2) {
            guard let high = padded[index], let low = padded[index + 1] else { return nil }
            bytes.append(UInt8(high * 16 + low))
        }
        return bytes
    }
}
