// SPDX-License-Identifier: Apache-2.0

/// Converts names for which servers have rules.
enum SentryNames {
    /// The maximum length of a release name, in bytes.
    private static let releaseLimit = 200
    /// The maximum length of an environment name, in bytes.
    private static let environmentLimit = 64

    /// Returns the event ID for a report's identifier, as 32 hexadecimal digits.
    ///
    /// An identifier that is not a UUID is hashed, so two deliveries of the same report are one
    /// event.
    static func event(_ id: String) -> String {
        let digits = id.utf8.filter { $0 != UInt8(ascii: "-") }
        if digits.count == 32, digits.allSatisfy(isHexDigit) {
            return String(decoding: digits, as: UTF8.self).lowercased()
        }
        return padded(hash(id.utf8, 0xCBF2_9CE4_8422_2325))
            + padded(hash(id.utf8, 0x8422_2325_CBF2_9CE4))
    }

    /// Returns the ID of a session, with dashes.
    static func session(_ id: String) -> String {
        dashed(Array(event(id).utf8))
    }

    /// Returns a valid release name, or nil if the name is empty.
    static func release(_ name: String) -> String? {
        let name = path(name, limit: releaseLimit)
        return switch name?.lowercased() {
        case ".", "..", "latest": name.map { "release@\($0)" }
        default: name
        }
    }

    /// Returns a valid environment name, or nil if the name is missing, empty or reserved.
    static func environment(_ name: String?) -> String? {
        let name = path(name ?? "", limit: environmentLimit)
        return switch name?.lowercased() {
        case ".", "..", "none": nil
        default: name
        }
    }

    /// Returns a valid name of a distribution, or nil if the name is missing or empty.
    static func dist(_ name: String?) -> String? {
        let kept = (name ?? "").unicodeScalars.map { scalar in
            scalar.isASCII && isTagByte(UInt8(scalar.value)) ? Character(scalar) : "-"
        }
        return kept.isEmpty ? nil : String(kept.prefix(environmentLimit))
    }

    /// Returns whether a tag can have this name, which must be valid and not set by servers.
    static func isTag(_ name: String) -> Bool {
        (1...32).contains(name.utf8.count) && !ownTags.contains(name)
            && !name.hasPrefix("sentry:") && name.utf8.allSatisfy(isTagByte)
    }

    /// Inserts the dashes of a UUID.
    static func dashed(_ digits: [UInt8]) -> String {
        var text: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private static let ownTags: Set<String> = [
        "release", "dist", "environment", "user", "level", "site", "url", "transaction", "logger",
        "server_name", "filename", "function", "mechanism", "handled", "device", "os", "runtime",
        "event.type", "platform", "project",
    ]

    private static func isTagByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "_.:-".utf8.contains(byte)
        }
    }

    /// Replaces path separators and cuts to `limit` bytes, because servers use these names in URLs.
    private static func path(_ name: String, limit: Int) -> String? {
        let line = SentryText.line(name, limit: limit)
        var scalars = String.UnicodeScalarView()
        for scalar in line.unicodeScalars {
            scalars.append(scalar == "/" || scalar == "\\" ? "-" : scalar)
        }
        let cut = SentryText.line(SentryText.bytes(String(scalars), limit: limit), limit: limit)
        return cut.isEmpty ? nil : cut
    }

    private static func hash(_ bytes: String.UTF8View, _ seed: UInt64) -> UInt64 {
        bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static func padded(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
