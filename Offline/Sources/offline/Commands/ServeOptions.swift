// SPDX-License-Identifier: Apache-2.0
import OfflineHousehold

/// The options of `offline serve`.
struct ServeOptions: Command {
    static var forms: [CommandForm] {
        Form("serve", Self(), help: "Opens the library in your browser.")
            .details(
                """
                Downloads continue while this runs. With --lan, other devices can use it, each \
                after you let it in. With --join, several machines with a library tell each other \
                of finished and failed downloads, and hand each other addresses.
                """
            )
            .options([
                .option("--port", .number("NUMBER", in: 0...UInt16.max), into: \.port):
                    "listen on this port instead of 8420 or the next free one",
                .flag("--no-browser", into: \.opensNoBrowser):
                    "print the address of the library instead of opening it",
                .flag("--activated", into: \.isActivated, isHidden: true): "",
                .flag("--allow-private", into: \.allowsPrivateAddresses):
                    RequestArguments.permission,
            ])
            .options(ofDevices)
            .options(ofHousehold)
            .options([
                .option("--on-ready", .path("PROGRAM"), into: \.onReady):
                    "run this program for each item that becomes ready, without a shell, with "
                    + "OFFLINE_FILE, OFFLINE_TITLE, OFFLINE_ADDRESS and OFFLINE_ID in its "
                    + "environment, for at most five minutes",
                .options(
                    "--on-ready-argument",
                    .text("TEXT"),
                    into: \.onReadyArguments,
                    with: "--on-ready"
                ): "pass this argument to the program of --on-ready",
            ])
    }

    private static var ofDevices: OptionTable<Self> {
        [
            .flag("--lan", into: \.opensToDevices):
                "let phones and other computers of your network use the library",
            .option("--tls-certificate", .path("FILE"), into: \.certificateFile, with: "--lan"):
                "encrypt their connections with this certificate (PEM)",
            .option("--tls-key", .path("FILE"), into: \.keyFile, with: "--lan"):
                "the private key of the certificate (PEM, without a password)",
        ]
    }

    private static var ofHousehold: OptionTable<Self> {
        [
            .option("--join", .text("nats://HOST:PORT"), into: \.joinAddress):
                "join the libraries of other machines through this NATS server, or "
                + "tls://HOST:PORT for an encrypted connection",
            .option("--space", .text("NAME", offered: ["home"]), into: \.space, with: "--join"):
                "the name that these libraries share (default: home)",
            .option("--join-credentials", .path("FILE"), into: \.credentialsFile, with: "--join"):
                "the token of the server, or a file of NATS's own tools (.creds)",
        ]
    }

    /// With nil, the server takes the preferred port or the next free one.
    var port: UInt16?
    var allowsPrivateAddresses = false
    var opensNoBrowser = false
    /// Whether the message bus started the program, which only the service file says.
    var isActivated = false
    var opensToDevices = false
    var certificateFile: String?
    var keyFile: String?
    var joinAddress: String?
    var space: String?
    var credentialsFile: String?
    /// The household of the three values above, or nil for none.
    var join: HouseholdAddress?
    var onReady: String?
    var onReadyArguments: [String] = []

    var opensBrowser: Bool { !opensNoBrowser }
    var library: LibraryUse { .created }
    var showsPreviousCrash: Bool { false }

    mutating func check() throws(UsageError) {
        guard (certificateFile == nil) == (keyFile == nil) else {
            throw UsageError("--tls-certificate and --tls-key belong together. Add the other one.")
        }
        do {
            join = try joinAddress.map {
                try HouseholdAddress($0, space: space, credentialsFile: credentialsFile)
            }
        } catch {
            throw UsageError(reading: error)
        }
    }

    func run(in environment: Environment) async throws -> ExitStatus {
        try await ServeCommand(serve: self, environment: environment).run()
    }
}
