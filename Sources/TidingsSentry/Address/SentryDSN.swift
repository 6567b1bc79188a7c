// SPDX-License-Identifier: Apache-2.0
internal import TidingsHTTP

/// Where a server of Sentry's protocol takes the reports of a project: its "DSN".
///
/// Sentry, GlitchTip and Bugsink show it on the project's page. Its key only allows to send. With
/// `http` everybody on the way can read the reports, so that is for this machine and for networks
/// that are trusted.
///
/// ```swift
/// let address = try SentryDSN("https://0a1b2c3d4e5f@errors.example.org/7")
/// ```
public struct SentryDSN: Hashable, Sendable {
    /// What allows to send to the project.
    public let publicKey: String
    /// The project on the server, mostly a number.
    public let project: String
    /// What envelopes are posted to.
    let envelopes: WebAddress
    /// The server and the path of its own that it has, if any.
    private let server: String

    /// Reads `SCHEME://KEY@HOST/PATH/PROJECT`; a secret after the key, as of old, is left out.
    ///
    /// - Parameter text: The DSN as the server shows it.
    /// - Throws: ``SentryError``, which says what is wrong with it.
    public init(_ text: String) throws(SentryError) {
        let parts = try Parts(text)
        publicKey = parts.key
        project = parts.project
        do {
            let place = "\(parts.scheme)://\(parts.host)\(parts.path)"
            envelopes = try WebAddress("\(place)/api/\(parts.project)/envelope/")
            server = place
        } catch {
            throw SentryError(.invalidAddress, error.message)
        }
    }

    /// Whether nobody on the way can read what is sent.
    public var isEncrypted: Bool { envelopes.scheme == "https" }
}

extension SentryDSN: CustomStringConvertible, CustomDebugStringConvertible {
    /// The address without the key.
    public var description: String { "\(server)/\(project)" }

    /// The address without the key.
    public var debugDescription: String { description }
}

/// A DSN taken apart; whether the host is one is seen by who connects to it.
private struct Parts {
    let scheme: String
    let key: String
    let host: Substring
    let path: Substring
    let project: String

    init(_ text: String) throws(SentryError) {
        guard let mark = text.firstRange(of: "://"),
            let scheme = ["https", "http"].first(where: {
                $0 == text[..<mark.lowerBound].lowercased()
            })
        else {
            throw SentryError(
                .invalidAddress,
                "A DSN begins with https:// or http://; copy it from the project's page."
            )
        }
        let rest = text[mark.upperBound...]
        guard !rest.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || "?#".utf8.contains($0) })
        else {
            throw SentryError(
                .invalidAddress,
                "A DSN holds no spaces and ends in its project; leave out what follows that."
            )
        }
        self.scheme = scheme
        let authority = rest.prefix { $0 != "/" }
        let (key, host) = try Self.credentials(authority)
        guard !host.isEmpty else {
            throw SentryError(
                .invalidAddress,
                "A DSN has the server's name between the key and the project; copy it again."
            )
        }
        (self.key, self.host) = (key, host)
        (path, project) = try Self.place(rest[authority.endIndex...])
    }

    private static func credentials(
        _ authority: Substring
    )
        throws(SentryError) -> (key: String, host: Substring)
    {
        let at = authority.lastIndex(of: "@")
        let key = at.map { authority[..<$0].prefix { $0 != ":" } } ?? ""
        guard let at, isName(key) else {
            throw SentryError(
                .missingKey,
                "A DSN has the project's public key before the host, as in https://KEY@HOST/PROJECT;"
                    + " the key is made of letters, digits, - and _."
            )
        }
        return (String(key), authority[authority.index(after: at)...])
    }

    private static func place(
        _ whole: Substring
    )
        throws(SentryError) -> (path: Substring, project: String)
    {
        let path = whole.last == "/" ? whole.dropLast() : whole
        let slash = path.lastIndex(of: "/")
        let project = slash.map { path[path.index(after: $0)...] } ?? ""
        guard let slash, isName(project) else {
            throw SentryError(
                .missingProject,
                "A DSN ends in the project, as in https://KEY@HOST/7; it is shown there as a number."
            )
        }
        return (path[..<slash], String(project))
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.count <= 128
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
