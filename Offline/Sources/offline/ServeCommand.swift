// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineApp
import OfflineHousehold
import OfflineLibrary
import OfflineServer
import Tidings
import TidingsBridge
import TidingsDesktop
import TidingsHTTP
import TidingsUserNotifications

/// `offline serve`: runs the downloads and the server until a signal ends them.
struct ServeCommand {
    let serve: Arguments.Serve
    let environment: Environment

    /// The library of this process, or the server that already runs for it.
    private enum Access {
        case library(Library)
        case server(RemoteLibrary)
    }

    private var directory: LibraryDirectory { environment.directory }
    private let activation = Activation()

    func run() async throws -> ExitStatus {
        // Before the library opens, so that a mistake has no effect.
        let command = try readyCommand()
        let devices = try serve.opensToDevices ? deviceAccess() : nil
        let transport = try householdTransport()
        var configuration = LibraryConfiguration(directory: directory)
        configuration.allowsPrivateAddresses = serve.allowsPrivateAddresses
        // Of two servers that start together, the second one waits for the first one's address.
        let access = try await LibraryAccess.connect(directory) { () throws(LibraryError) in
            Access.library(try Library(configuration))
        } orTo: {
            .server($0)
        }
        switch access {
        case .library(let library): return try await run(library, command, devices, transport)
        case .server(let remote): return await show(remote)
        }
    }

    /// Returns the command for ready items.
    ///
    /// It comes from the command line alone, never from the API or the registry, so that neither
    /// the token nor a changed file of the library runs a program.
    private func readyCommand() throws(UsageError) -> ReadyCommand? {
        guard let program = serve.onReady else { return nil }
        do throws(LibraryError) {
            return try ReadyCommand(program, arguments: serve.onReadyArguments)
        } catch {
            throw UsageError(error.message)
        }
    }

    private func run(
        _ library: Library,
        _ command: ReadyCommand?,
        _ devices: OfflineServer.Configuration.Devices?,
        _ transport: (any BridgeTransport)?
    ) async throws -> ExitStatus {
        LibraryAccess.note(library)
        let commands = command.map { ReadyCommandRunner($0, for: library) }
        // From here on a signal ends the command in order, even during the startup.
        let signals = Interruption.signals()
        let app = try makeApp(library, devices, household(library, transport))
        let server = app.server
        // Observed before the start: a response to a notification of an earlier run may arrive
        // during it.
        let navigation = library.messages.observe(NavigationRequested.self) { [server] target in
            guard !target.isInPage else { return }
            Desktop.open(server.entryAddress(of: target), activationToken: target.activationToken)
        }
        try app.start()
        activation.begin { [server] in
            Desktop.open(server.entryAddress(), activationToken: $0)
        }
        let file = ServerFile(address: server.origin, token: server.token, process: getpid())
        let fileLock = try file.write(directory)
        let crashes = library.messages.observe(PreviousRunCrashed.self) {
            Terminal.note(ReportText.crash($0.report))
        }
        let assumptions = library.messages.observe(ConnectivityAssumed.self) {
            Terminal.note("The network state is unknown; a connection is assumed. \($0.reason)")
        }
        let arrivals = library.messages.observe(DeviceArrived.self) {
            Terminal.note(DevicesCommand.text(of: $0))
        }
        let access = library.messages.observe(HouseholdAccessChanged.self) { [serve] in
            if let join = serve.join { Terminal.note(Terminal.clean(join.text(of: $0))) }
        }
        // Before the downloads start, so that no end of one is missed.
        await join(app)
        await library.start(
            ownServer: OwnServer(
                sample: try WebAddress(server.sampleAddress),
                token: server.token
            )
        )
        Terminal.note("Your library is at this address. Open it in a browser; keep it to yourself:")
        Terminal.print(server.address)
        Terminal.note("Paste links there to keep films, podcasts and texts. Ctrl-C stops it.")
        showInvitation(of: server)
        await environment.reports?.postPreviousRun()
        if serve.opensBrowser { Desktop.open(server.entryAddress()) }
        for await _ in signals { break }
        access.cancel()
        arrivals.cancel()
        assumptions.cancel()
        crashes.cancel()
        navigation.cancel()
        ServerFile.remove(directory)
        withExtendedLifetime(fileLock) {}
        await app.stop()
        await library.stop()
        await commands?.stop()
        Terminal.note("Stopped. The data is kept: run `offline serve` to continue.")
        return .success
    }

    /// Keeps the token from run to run, so that an open page can reconnect.
    private func makeApp(
        _ library: Library,
        _ devices: OfflineServer.Configuration.Devices?,
        _ household: Household?
    ) throws -> OfflineApp {
        let registry = library.journal.registry
        let known = try registry.preference(.serverToken)
        var devices = devices
        devices?.preferredPort = try registry.preference(.devicePort).rawPort
        let app = try OfflineApp(
            library: library,
            reports: environment.requireReports(),
            desktop: .desktop(
                icon: Desktop.icon(
                    OfflineServer.iconFile,
                    unlessInstalledAs: LibraryNotifications.program.id
                ),
                onActivate: { [activation] in activation.activate($0) }
            ),
            household: household,
            configuration: .init(
                port: serve.port,
                token: known.valid,
                devices: devices,
                showInFolder: Desktop.fileManager
            )
        )
        let token = ServerToken(rawValue: app.server.token)
        try library.setPreference(token, for: .serverToken)
        if let port = app.server.devicePort {
            try library.setPreference(DevicePort(rawPort: port), for: .devicePort)
        }
        return app
    }

    /// Prints the address of the server that already runs for this library, and opens it.
    private func show(_ remote: RemoteLibrary) async -> ExitStatus {
        if serve.opensToDevices {
            Terminal.note("To use --lan, end the running server and start it again with --lan.")
        }
        if serve.join != nil {
            Terminal.note("To use --join, end the running server and start it again with --join.")
        }
        Terminal.note("This library already has a server. Open its address in a browser:")
        Terminal.print("\(remote.file.address)/?token=\(remote.file.token)")
        // A launcher that has the message bus start this process expects the page.
        if serve.opensBrowser || serve.isActivated, let entry = try? await remote.entryAddress() {
            Desktop.open(entry)
        }
        return .success
    }
}
