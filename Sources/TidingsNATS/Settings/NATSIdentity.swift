// SPDX-License-Identifier: Apache-2.0
#if NATS
/// The credentials that a connection presents to the server.
///
/// ```swift
/// let identity = NATSIdentity.user("orders", password: .file("/run/secrets/orders"))
/// ```
@nonexhaustive public enum NATSIdentity: Sendable {
    /// A token that all clients share.
    case token(NATSSecret)
    /// A user with a password.
    case user(String, password: NATSSecret)
    /// A key pair of the public key, which starts with `U`, and the seed, which starts with `SU`.
    case key(String, seed: NATSSecret)
    /// The file of a user's credentials, as made by the tools of NATS.
    case credentials(file: String)
}

/// The encryption of a connection, and the servers to trust.
///
/// ```swift
/// var encryption = NATSEncryption()
/// encryption.authorities = .file("/etc/orders/authority.pem")
/// ```
public struct NATSEncryption: Sendable {
    /// A certificate by which the server recognizes this client.
    public struct Certificate: Sendable {
        /// The certificate and the chain up to the authority, in PEM.
        public var chain: NATSSecret
        /// The private key, in PEM.
        public var key: NATSSecret

        /// Creates a certificate.
        public init(chain: NATSSecret, key: NATSSecret) {
            self.chain = chain
            self.key = key
        }
    }

    /// The certificates of the trusted authorities, in PEM, or nil for the system's authorities.
    public var authorities: NATSSecret?
    /// The certificate of this client, or nil if the server requires none.
    public var certificate: Certificate?
    /// The name in the server's certificate, or nil for the host of the address.
    public var serverName: String?

    /// Creates an encryption that trusts the authorities of the system.
    public init() {}
}

/// The secrets of one attempt to connect.
enum ResolvedIdentity: Sendable {
    case token(String)
    case user(String, password: String)
    case key(String, seed: String)
    case credentialsFile(String)

    var seed: String? {
        if case .key(_, let seed) = self { seed } else { nil }
    }

    init(_ identity: NATSIdentity) async throws {
        self =
            switch identity {
            case .token(let token): .token(try await token.resolve())
            case .user(let name, let password):
                .user(name, password: try await password.resolve())
            case .key(let publicKey, let seed): .key(publicKey, seed: try await seed.resolve())
            case .credentials(let file): .credentialsFile(file)
            }
    }
}

/// The encryption of one attempt to connect.
struct ResolvedTLS: Sendable {
    var authorities: String?
    var certificate: (chain: String, key: String)?
    var serverName: String?

    init(_ encryption: NATSEncryption) async throws {
        serverName = encryption.serverName
        authorities = try await encryption.authorities?.resolve()
        if let own = encryption.certificate {
            certificate = (try await own.chain.resolve(), try await own.key.resolve())
        }
    }
}
#endif
