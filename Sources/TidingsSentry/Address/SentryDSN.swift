// SPDX-License-Identifier: Apache-2.0
internal import TidingsHTTP

/// The address to which a project's reports are sent, named "DSN" in Sentry's protocol.
///
/// Sentry, GlitchTip and Bugsink display the address on the project's page. The key in the address
/// permits only sending. With `http`, anyone on the network path can read the reports, so use
/// `http` only for this machine and for trusted networks.
///
/// ```swift
/// let address = try SentryDSN("https://0a1b2c3d4e5f@errors.example.org/7")
/// ```
public struct SentryDSN: Hashable, Sendable {
    /// The key that permits sending to the project.
    public let publicKey: String
    /// The project on the server, usually a number.
    public let project: String
    /// The address to which envelopes are posted.
    let envelopes: WebAddress
    /// The scheme, the host and the path before the project.
    private let server: String

    /// Parses `SCHEME://KEY@HOST/PATH/PROJECT` and drops a secret after the key, as in old DSNs.
    ///
    /// - Parameter text: The DSN as the server displays it.
    /// - Throws: ``SentryError`` if the DSN is invalid.
    public init(_ text: String) throws(SentryError) {
        let parts = try Parts(text)
        publicKey = parts.key
        project = parts.project
        do {
            let base = "\(parts.scheme)://\(parts.host)\(parts.path)"
            envelopes = try WebAddress("\(base)/api/\(parts.project)/envelope/")
            server = base
        } catch {
            throw SentryError(.invalidAddress, error.message)
        }
    }

    /// Whether reports are encrypted in transit, which requires the scheme `https`.
    public var isEncrypted: Bool { envelopes.scheme == "https" }
}

extension SentryDSN: CustomStringConvertible, CustomDebugStringConvertible {
    /// The address without the key.
    public var description: String { "\(server)/\(project)" }

    /// The address without the key.
    public var debugDescription: String { description }
}

/// The parts of a DSN, with a host that is not validated.
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
                "The DSN does not begin with https:// or http://. Copy it from the project's page."
            )
        }
        let rest = text[mark.upperBound...]
        guard !rest.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || "?#".utf8.contains($0) })
        else {
            throw SentryError(
                .invalidAddress,
                "The DSN contains white space, “?” or “#”. Remove everything after the project."
            )
        }
        self.scheme = scheme
        let authority = rest.prefix { $0 != "/" }
        let (key, host) = try Self.credentials(authority)
        guard !host.isEmpty else {
            throw SentryError(
                .invalidAddress,
                "The DSN has no server between the key and the project. Copy it again."
            )
        }
        (self.key, self.host) = (key, host)
        (path, project) = try Self.pathAndProject(rest[authority.endIndex...])
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
                "The DSN has no valid key before the host, as in https://KEY@HOST/PROJECT."
                    + " Use a key of letters, digits, - and _."
            )
        }
        return (String(key), authority[authority.index(after: at)...])
    }

    private static func pathAndProject(
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
                "The DSN does not end with a valid project, as in https://KEY@HOST/7."
                    + " Copy it from the project's page."
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
