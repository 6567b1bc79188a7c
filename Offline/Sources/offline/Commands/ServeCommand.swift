// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineApp
import OfflineDownloads
import OfflineHousehold
import OfflineLibrary
import OfflineModel
import OfflineServer
import OfflineSources
import OfflineStore
import Tidings
import TidingsBridge
import TidingsDesktop
import TidingsHTTP
import TidingsUserNotifications

/// `offline serve`: runs the downloads and the server until a signal ends them.
struct ServeCommand {
    let serve: ServeOptions
    let environment: Environment

    /// The library of this process, or the server that already runs for the library.
    private enum Access {
        case library(OpenLibrary)
        case server(APIClient)
    }

    private var directory: LibraryDirectory { environment.directory }
    private let activation = Activation()

    func run() async throws -> ExitStatus {
        // The options are checked before the library opens, so that a mistake has no effect.
        let command = try readyCommand()
        let devices = try serve.opensToDevices ? deviceAccess() : nil
        let transport = try householdTransport()
        var configuration = LibraryConfiguration(directory: directory)
        configuration.allowsPrivateAddresses = serve.allowsPrivateAddresses
        // If two servers start together, the second server waits for the address of the first.
        let access = try await LibraryAccess.connect(directory) { () throws(LibraryError) in
            Access.library(try OpenLibrary(configuration))
        } orTo: {
            .server($0)
        }
        switch access {
        case .library(let library):
            return try await run(library, ready: command, devices: devices, transport: transport)
        case .server(let remote): return await show(remote)
        }
    }

    /// Returns the command for ready items.
    ///
    /// The command comes only from the command line, never from the API or the registry. Therefore
    /// neither the token nor a changed file of the library can run a program.
    private func readyCommand() throws(UsageError) -> ReadyCommand? {
        guard let program = serve.onReady else { return nil }
        do throws(LibraryError) {
            return try ReadyCommand(program, arguments: serve.onReadyArguments)
        } catch {
            throw UsageError(error.message)
        }
    }

    private func run(
        _ open: OpenLibrary,
        ready command: ReadyCommand?,
        devices: OfflineServer.Configuration.Devices?,
        transport: (any BridgeTransport)?
    ) async throws -> ExitStatus {
        LibraryAccess.note(open)
        // From here on, a signal ends the command in order, even during the startup.
        let signals = Interruption.signals()
        let assumptions = open.messages.observe(ConnectivityAssumed.self) {
            Terminal.note("The network state is unknown; a connection is assumed. \($0.reason)")
        }
        let sockets = try openSockets(for: open, devices)
        let library = Library(
            open,
            ownServer: OwnServer(
                sample: try WebAddress(sockets.sampleAddress),
                token: sockets.token
            )
        )
        let commands = command.map { ReadyCommandRunner($0, for: library) }
        let app = try makeApp(
            library,
            sockets: sockets,
            devices: devices,
            household: household(library, transport)
        )
        let server = app.server
        // The observer is registered before the start, because a response to a notification of an
        // earlier run may arrive during the start.
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
        let arrivals = library.messages.observe(DeviceArrived.self) {
            Terminal.note(DevicesCommand.text(of: $0))
        }
        let access = library.messages.observe(HouseholdAccessChanged.self) { [serve] in
            if let join = serve.join { Terminal.note(Terminal.clean(join.text(of: $0))) }
        }
        // The household joins before the downloads start, so that no end of a download is missed.
        await join(app)
        await library.start()
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

    /// Opens the ports with the token of the previous run, so that an open page can reconnect.
    private func openSockets(
        for library: OpenLibrary,
        _ devices: OfflineServer.Configuration.Devices?
    ) throws -> ServerSockets {
        let preferences = library.journal.preferences
        var configuration = OfflineServer.Configuration(
            port: serve.port,
            token: try preferences.preference(.serverToken).valid,
            devices: devices
        )
        configuration.devices?.preferredPort = try preferences.preference(.devicePort).rawPort
        return try ServerSockets(configuration)
    }

    private func makeApp(
        _ library: Library,
        sockets: ServerSockets,
        devices: OfflineServer.Configuration.Devices?,
        household: Household?
    ) throws -> OfflineApp {
        var configuration = OfflineServer.Configuration(
            devices: devices,
            showInFolder: Desktop.fileManager
        )
        configuration.sockets = sockets
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
            configuration: configuration
        )
        try library.open.setPreference(ServerToken(rawValue: sockets.token), for: .serverToken)
        if let port = sockets.devicePort {
            try library.open.setPreference(DevicePort(rawPort: port), for: .devicePort)
        }
        return app
    }

    /// Prints and opens the address of the server that already runs for this library.
    private func show(_ remote: APIClient) async -> ExitStatus {
        if serve.opensToDevices {
            Terminal.note("To use --lan, end the running server and start it again with --lan.")
        }
        if serve.join != nil {
            Terminal.note("To use --join, end the running server and start it again with --join.")
        }
        Terminal.note("This library already has a server. Open its address in a browser:")
        Terminal.print("\(remote.file.address)/?token=\(remote.file.token)")
        // If a launcher has started this process through the message bus, the user expects the
        // page.
        if serve.opensBrowser || serve.isActivated,
            let entry = try? await remote.call(API.server.makeTicket)
        {
            Desktop.open(entry.address)
        }
        return .success
    }
}
