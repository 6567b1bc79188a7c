// SPDX-License-Identifier: Apache-2.0
import Foundation

extension RedactingWriter {
    /// The maximum number of attachments of a report.
    static let attachmentCount = 4
    /// The maximum size of an attachment in bytes.
    static let attachmentLimit = 16 << 10

    /// The names and the ends of names of files that contain nothing but secrets.
    private static let secretFiles = [
        ".env", ".netrc", ".npmrc", ".pgpass", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519",
        ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".gpg", ".asc", ".htpasswd",
        "cookies.sqlite", "cookies.txt", "credentials",
    ]

    /// The first bytes of PNG, JPEG, gzip and zip.
    private static let signatures: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF], [0x1F, 0x8B, 0x08],
        [0x50, 0x4B, 0x03, 0x04],
    ]

    /// Redacts and cuts the attachments of a report; of too many, the first by name are kept.
    ///
    /// A file whose name belongs to a secret keeps its name only. Of a long file the end is kept,
    /// because the end of a log is the newest.
    ///
    /// - Parameters:
    ///   - files: The files by name.
    ///   - keepsBinaries: Whether pictures and archives are kept as they are, because the program
    ///     chose their content. Everything else is redacted as text, whatever its bytes.
    /// - Returns: The kept files by name.
    func attachments(_ files: [String: Data], keepsBinaries: Bool) -> [String: Data] {
        let kept = files.sorted { $0.key < $1.key }.prefix(Self.attachmentCount)
        let redacted = kept.map { name, data -> (String, Data) in
            if Self.isSecret(name) { return (fileName(name), Data(Redactor.mark.utf8)) }
            // Of a picture, the start is kept: its end alone shows nothing.
            let isKept = keepsBinaries && Self.isBinary(data)
            return (fileName(name), isKept ? Data(data.prefix(Self.attachmentLimit)) : text(data))
        }
        return Dictionary(redacted) { first, _ in first }
    }

    /// Only the name, because folders may contain the name of a person.
    private func fileName(_ path: String) -> String {
        let name = self.name(path.split(separator: "/").last.map(String.init) ?? "")
        return name.isEmpty ? "attachment" : name
    }

    static func isSecret(_ path: String) -> Bool {
        let name = (path.split(separator: "/").last.map(String.init) ?? "").lowercased()
        return secretFiles.contains { name.hasSuffix($0) }
            || SecretName.reach(of: Array(name.utf8)[...]) != nil
    }

    /// Whether data is a picture or an archive that a text cannot be mistaken for.
    private static func isBinary(_ data: Data) -> Bool {
        signatures.contains { data.starts(with: $0) }
    }

    /// The log of a program may have bytes that are not UTF-8, and must not be kept unexamined
    /// because of one of them.
    private func text(_ data: Data) -> Data {
        // More than is kept, because a cut can leave a part of a secret that is not recognizable.
        let end = data.suffix(2 * Self.attachmentLimit)
        let isCut = end.count < data.count
        let text = String(decoding: Self.withoutZeros(end), as: UTF8.self)
        // The first line may have lost its beginning.
        let whole = isCut ? text.drop { !$0.isNewline } : text[...]
        return Data(tail(of: String(whole), limit: Self.attachmentLimit).utf8)
    }

    /// Zeros end the parts of a list, such as that of environment variables.
    ///
    /// Many are the halves of UTF-16, whose words are recognizable only without them.
    private static func withoutZeros(_ data: Data) -> [UInt8] {
        let zeros = data.count(where: { $0 == 0 })
        guard zeros > 0 else { return Array(data) }
        guard zeros <= data.count / 3 else { return data.filter { $0 != 0 } }
        return data.map { $0 == 0 ? UInt8(ascii: "\n") : $0 }
    }
}
