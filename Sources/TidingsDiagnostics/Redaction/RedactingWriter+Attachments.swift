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

    /// Redacts and cuts the attachments of a report.
    ///
    /// Of too many attachments, the first by name are kept. A file whose name belongs to a secret
    /// keeps only the name. A long file keeps only the end, because the newest part of a log is at
    /// the end.
    ///
    /// - Parameters:
    ///   - files: The files by name.
    ///   - keepsBinaries: Whether pictures and archives are kept unchanged, because the program
    ///     chose the content. All other files are redacted as text, whatever their bytes.
    /// - Returns: The kept files by name.
    func attachments(_ files: [String: Data], keepsBinaries: Bool) -> [String: Data] {
        let kept = files.sorted { $0.key < $1.key }.prefix(Self.attachmentCount)
        let redacted = kept.map { name, data -> (String, Data) in
            if Self.isSecret(name) { return (fileName(name), Data(Redactor.mark.utf8)) }
            // The start of a picture is kept, because the end alone shows nothing.
            let isKept = keepsBinaries && Self.isBinary(data)
            return (fileName(name), isKept ? Data(data.prefix(Self.attachmentLimit)) : text(data))
        }
        return Dictionary(redacted) { first, _ in first }
    }

    /// Returns only the last part of a path, because folders may contain the name of a user.
    private func fileName(_ path: String) -> String {
        let name = self.name(path.split(separator: "/").last.map(String.init) ?? "")
        return name.isEmpty ? "attachment" : name
    }

    static func isSecret(_ path: String) -> Bool {
        let name = (path.split(separator: "/").last.map(String.init) ?? "").lowercased()
        return secretFiles.contains { name.hasSuffix($0) }
            || SecretName.reach(of: Array(name.utf8)[...]) != nil
    }

    /// Whether data is a picture or an archive, with a signature that no text has.
    private static func isBinary(_ data: Data) -> Bool {
        signatures.contains { data.starts(with: $0) }
    }

    /// Returns the redacted end of a file.
    ///
    /// The log of a program may have bytes that are not UTF-8. Such a log must be examined too.
    private func text(_ data: Data) -> Data {
        // This is more than is kept, because a cut can leave an unrecognizable part of a secret.
        let end = data.suffix(2 * Self.attachmentLimit)
        let isCut = end.count < data.count
        let text = String(decoding: Self.withoutZeros(end), as: UTF8.self)
        // The first line may have lost its beginning.
        let whole = isCut ? text.drop { !$0.isNewline } : text[...]
        return Data(tail(of: String(whole), limit: Self.attachmentLimit).utf8)
    }

    /// Returns the bytes without zeros.
    ///
    /// A few zeros end the parts of a list, such as a list of environment variables. Many zeros are
    /// the halves of UTF-16, whose words are recognizable only without the zeros.
    private static func withoutZeros(_ data: Data) -> [UInt8] {
        let zeros = data.count(where: { $0 == 0 })
        guard zeros > 0 else { return Array(data) }
        guard zeros <= data.count / 3 else { return data.filter { $0 != 0 } }
        return data.map { $0 == 0 ? UInt8(ascii: "\n") : $0 }
    }
}
