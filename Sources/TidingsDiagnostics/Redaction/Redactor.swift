// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Removes private data from strings that may leave the machine.
///
/// The redactor removes queries, fragments and credentials of addresses, values of names such as
/// `token` or `Cookie`, long runs that look like keys, and home folders. In case of doubt, the
/// redactor removes too much.
struct Redactor: Sendable {
    /// The replacement for removed text.
    static let mark = "[redacted]"

    private static let parents = [Array("/home/".utf8), Array("/Users/".utf8)]

    /// The home folders, longest first, without a trailing slash.
    private let homes: [[UInt8]]

    /// Creates a redactor.
    ///
    /// - Parameter homes: The home folders to remove. Folders below `/home` and `/Users` are always
    ///   removed.
    init(homes: [String] = Redactor.ownHomes) {
        self.homes = homes.map { Array(($0.hasSuffix("/") ? String($0.dropLast()) : $0).utf8) }
            .filter { $0.count > 1 }
            .sorted { $0.count > $1.count }
    }

    /// Returns the text without private data.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - keepsDigests: Whether hexadecimal hashes remain, such as the commit in a release name.
    /// - Returns: The redacted text. Text without private data is returned unchanged.
    func redacted(_ text: String, keepsDigests: Bool = false) -> String {
        PlainText.isPlain(text) ? text : redactedByWord(text, keepsDigests: keepsDigests)
    }

    /// Redacts word by word, without the fast check for plain text.
    func redactedByWord(_ text: String, keepsDigests: Bool = false) -> String {
        var words = WordRedactor(keepsDigests: keepsDigests)
        return words.redacted(withoutHomes(Array(text.utf8)))
    }

    static var ownHomes: [String] {
        let home = ProcessInfo.processInfo.environment["HOME"]
        let homes = [home, NSHomeDirectory()].compactMap(\.self)
        return homes + homes.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    }

    /// Replaces each home folder by `~`.
    private func withoutHomes(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(Character.slash) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == Character.slash, let end = endOfHome(in: bytes, at: index) {
                result.append(Character.tilde)
                index = end
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    private func endOfHome(in bytes: [UInt8], at index: Int) -> Int? {
        let rest = bytes[index...]
        for home in homes where rest.starts(with: home) {
            let end = index + home.count
            if end == bytes.count || !bytes[end].continuesWord { return end }
        }
        // Elsewhere in a path or an address, `home` and `Users` are ordinary names.
        guard index == 0 || !bytes[index - 1].continuesName else { return nil }
        for parent in Self.parents where rest.starts(with: parent) {
            let name = rest.dropFirst(parent.count).prefix { $0.continuesName }
            if !name.isEmpty { return name.endIndex }
        }
        return nil
    }

    private enum Character {
        static let slash = UInt8(ascii: "/")
        static let tilde = UInt8(ascii: "~")
    }
}

extension UInt8 {
    /// Whether this byte continues a word.
    fileprivate var continuesWord: Bool {
        isASCIILetterOrDigit || self >= 0x80 || self == 0x2D || self == 0x5F
    }

    /// Whether this byte continues a name in a path.
    fileprivate var continuesName: Bool {
        continuesWord || self == 0x2E || self == 0x25 || self == 0x2B || self == 0x40
    }
}
