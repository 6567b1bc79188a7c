// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import Testing
import TidingsBridge
import TidingsCoreFixtures
import TidingsLock
import TidingsNATS

/// Credentials and certificates: accepted, refused, rotated, and never shown.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSSecurityTests {
    private static let secret = "s3cret-word-of-the-test"
    private static let publicKey = "UACJFG7XE4GHPRUQOMQY3ETB6ZZIELOVMGRR5JEDAO5DYRXJCGS5WO3Z"
    private static let seed = "SUAG7BRQ4EFR5LYTHORMPIIDUA2LRG3QDVRA4XOY66ZBMTIYY3KYD2VKOM"

    private static let kinds: [(settings: String, good: NATSIdentity, bad: NATSIdentity)] = [
        (
            "authorization { token: \"\(secret)\" }",
            .token(NATSSecret { secret }), .token(NATSSecret { "\(secret)-wrong" })
        ),
        (
            "authorization { user: \"u\", password: \"\(secret)\" }",
            .user("u", password: NATSSecret { secret }),
            .user("u", password: NATSSecret { "\(secret)-wrong" })
        ),
        (
            "authorization { users = [ { nkey: \(publicKey) } ] }",
            .key(publicKey, seed: NATSSecret { seed }),
            .key(publicKey, seed: NATSSecret { "SU\(secret)" })
        ),
    ]

    @Test(arguments: 0..<kinds.count)
    func b19_theServerAcceptsTheRightIdentityOnly(index: Int) async throws {
        let kind = Self.kinds[index]
        let server = try await NATSServer(kind.settings)
        var configuration = NATSConfiguration.patient
        configuration.identity = kind.good
        try await server.connect(configuration).close()
        configuration.identity = kind.bad
        let error = await failure { _ = try await server.connect(configuration) }
        #expect(error?.code == .notPermitted)
        #expect(error.map { "\($0)".contains(Self.secret) } == false)
        configuration.identity = nil
        let none = await failure { _ = try await server.connect(configuration) }
        #expect(none?.code == .notPermitted)
    }

    @Test func b19_aFileOfCredentialsIsReadForEachConnection() async throws {
        let server = try await NATSServer(TestOperator.settings)
        let file = server.folder.appendingPathComponent("user.creds")
        var configuration = NATSConfiguration.patient
        configuration.identity = .credentials(file: file.path)
        let missing = await failure { _ = try await server.connect(configuration) }
        let wrong = TestOperator.credentials(seed: TestOperator.otherSeed)
        try wrong.write(to: file, atomically: true, encoding: .utf8)
        let refused = await failure { _ = try await server.connect(configuration) }
        #expect(refused?.code == .notPermitted)
        for error in [missing, refused] {
            #expect(error != nil)
            #expect(error.map { "\($0)".contains(TestOperator.otherSeed) } == false)
        }
        let right = TestOperator.credentials(seed: TestOperator.seed)
        try right.write(to: file, atomically: true, encoding: .utf8)
        let connection = try await server.connect(configuration)
        try await connection.publish(frames(0..<10))
        #expect(try await connection.acknowledgements(count: 10).count == 10)
    }

    @Test func b19_aSecretIsReadForEachConnection() async throws {
        let server = try await NATSServer("authorization { token: \"new\" }")
        let file = server.folder.appendingPathComponent("token")
        try "old\n".write(to: file, atomically: true, encoding: .utf8)
        var configuration = NATSConfiguration.patient
        configuration.identity = .token(.file(file.path))
        let transport = NATSTransport(server.address, configuration)
        let error = await failure { _ = try await transport.connect(to: "shop", epoch: 1) }
        #expect(error?.code == .notPermitted)
        try "new\n".write(to: file, atomically: true, encoding: .utf8)
        try await transport.connect(to: "shop", epoch: 2).close()
    }

    @Test func b19_aSecretStandsInNoText() async throws {
        struct Leaky: Error, CustomStringConvertible {
            let description = NATSSecurityTests.secret
        }
        let failing = NATSSecret { throw Leaky() }
        var configuration = NATSConfiguration.patient
        configuration.identity = .user("u", password: failing)
        let error = await failure {
            _ = try await NATSTransport("nats://127.0.0.1:1", configuration)
                .connect(to: "shop", epoch: 1)
        }
        let address = "nats://u:\(Self.secret)@127.0.0.1:1"
        let inAddress = await failure {
            _ = try await NATSTransport(address).connect(to: "shop", epoch: 1)
        }
        #expect(error?.code == .notPermitted)
        #expect(inAddress?.code == .malformed)
        var dumped = ""
        configuration.identity = .token(NATSSecret { Self.secret })
        dump(configuration, to: &dumped)
        let transport = NATSTransport("nats://127.0.0.1:1", configuration)
        dump(transport, to: &dumped)
        for text in ["\(error as Any)", "\(inAddress as Any)", "\(configuration)", dumped] {
            #expect(!text.contains(Self.secret))
        }
    }

    @Test func b19_aClientCertificateIsRequiredAndCompared() async throws {
        let authority = try TestAuthority()
        let server = try await NATSServer(
            """
            tls { cert_file: "\(authority.path("server.pem"))", verify: true
              key_file: "\(authority.path("server.key"))", ca_file: "\(authority.path("ca.pem"))" }
            """
        )
        var configuration = NATSConfiguration.patient
        var encryption = NATSEncryption()
        encryption.authorities = .file(authority.path("ca.pem"))
        encryption.serverName = "localhost"
        encryption.certificate = NATSEncryption.Certificate(
            chain: .file(authority.path("client.pem")),
            key: .file(authority.path("client.key"))
        )
        configuration.encryption = encryption
        let connection = try await server.connect(configuration)
        try await connection.publish(frames(0..<10))
        #expect(try await connection.acknowledgements(count: 10).count == 10)

        encryption.serverName = "example.org"
        configuration.encryption = encryption
        let otherName = await failure { _ = try await server.connect(configuration) }
        #expect(otherName?.code == .notPermitted)

        encryption.serverName = "localhost"
        encryption.authorities = .file(authority.path("client.pem"))
        configuration.encryption = encryption
        let untrusted = await failure { _ = try await server.connect(configuration) }
        #expect(untrusted?.code == .notPermitted)

        encryption.authorities = .file(authority.path("ca.pem"))
        encryption.certificate = nil
        configuration.encryption = encryption
        let anonymous = await failure { _ = try await server.connect(configuration) }
        #expect(anonymous != nil)
    }

    @Test func b19_theServersHostIsComparedByDefault() async throws {
        let authority = try TestAuthority()
        let server = try await NATSServer(
            """
            tls { cert_file: "\(authority.path("server.pem"))"
              key_file: "\(authority.path("server.key"))" }
            """
        )
        var configuration = NATSConfiguration.patient
        configuration.encryption = NATSEncryption()
        configuration.encryption?.authorities = .file(authority.path("ca.pem"))
        for host in ["localhost", "127.0.0.1"] {
            let transport = NATSTransport("tls://\(host):\(server.port)", configuration)
            try await transport.connect(to: "shop", epoch: 1).close()
        }
        // The server is the same, but the certificate lacks this name.
        let other = NATSTransport("tls://127.1:\(server.port)", configuration)
        let error = await failure { _ = try await other.connect(to: "shop", epoch: 1) }
        #expect(error?.code == .notPermitted)
    }

    @Test(arguments: [
        "http://h", "nats://", "nats://h:0", "nats://h:70000", "nats://h:x", "nats://h/x", "",
        "nats://a:1:2", "nats://[::1", "nats://h?x",
    ])
    func aWrongAddressIsNamed(address: String) async throws {
        let error = await failure {
            _ = try await NATSTransport(address).connect(to: "shop", epoch: 1)
        }
        #expect(error?.code == .malformed)
    }
}

/// An authority with two certificates, for a server on loopback and for a client.
private final class TestAuthority {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("tidings-nats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = """
            set -e; cd "$0"; exec 2>/dev/null
            key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }
            issue() { key "$1"; openssl req -new -key "$1.key" -subj "/CN=$1" -out "$1.csr"
              printf '%s\\n' "$2" > "$1.ext"
              openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
                -extfile "$1.ext" -out "$1.pem"; }
            key ca; openssl req -x509 -new -key ca.key -subj /CN=authority -days 2 -out ca.pem
            issue server 'subjectAltName=DNS:localhost,IP:127.0.0.1'
            issue client 'extendedKeyUsage=clientAuth'
            """
        try ChildProgram.output(of: ["sh", "-c", script, folder.path])
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
#endif
