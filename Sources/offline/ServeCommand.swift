import Foundation
import OfflineLibrary
import OfflineServer
// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsDesktop
import TidingsHTTP
import TidingsUserNotifications

/// `offline serve`: works on the library and shows it in the browser until it is told to end.
struct ServeCommand {
    let serve: Arguments.Serve
    let surroundings: Surroundings

    private var directory: LibraryDirectory { surroundings.directory }

    func run() async throws -> ExitStatus {
        let library: Library
        do throws(LibraryError) {
            var configuration = LibraryConfiguration(directory: directory)
            configuration.allowsPrivateAddresses = serve.allowsPrivateAddresses
            library = try Library(configuration)
        } catch {
            return try await showRunningServer(orThrow: error)
        }
        // From here on a signal is an orderly end, whatever has begun.
        let signals = Interruption.signals()
        let server = try makeServer(library)
        // Before the start: what is pressed on a bubble of an earlier run may be told at once.
        let navigation = library.messages.observe(NavigationRequested.self) { [server] target in
            guard !target.isInPage else { return }
            Desktop.open(server.entryAddress(of: target), activationToken: target.activationToken)
        }
        try server.start()
        let file = ServerFile(address: server.origin, token: server.token, process: getpid())
        let hold = try file.write(directory)
        let crashes = library.messages.observe(PreviousRunCrashed.self) {
            Terminal.note(ReportText.crash($0.report))
        }
        let assumptions = library.messages.observe(ConnectivityAssumed.self) {
            Terminal.note("A network is assumed: the system does not tell. \($0.reason)")
        }
        await library.start(
            ownServer: OwnServer(
                sample: try WebAddress(server.sampleAddress),
                token: server.token
            )
        )
        Terminal.print(server.address)
        await surroundings.reports?.tellPreviousRun()
        if serve.opensBrowser { Desktop.open(server.entryAddress()) }
        for await _ in signals { break }
        assumptions.cancel()
        crashes.cancel()
        navigation.cancel()
        ServerFile.remove(directory)
        withExtendedLifetime(hold) {}
        await server.stop()
        await library.stop()
        Terminal.note("Stopped; everything is kept. `offline serve` goes on with it.")
        return .success
    }

    /// The token stays the same from run to run, so that an open page finds its server again.
    private func makeServer(_ library: Library) throws -> OfflineServer {
        let registry = library.journal.registry
        let known = try registry.preference(.serverToken).rawValue
        let server = try OfflineServer(
            library: library,
            reports: surroundings.requireReports(),
            configuration: .init(port: serve.port, token: known.isEmpty ? nil : known),
            desktop: .desktop
        )
        try registry.setPreference(ServerToken(rawValue: server.token), for: .serverToken)
        return server
    }

    /// A library has one server: the second one shows where the first one is.
    private func showRunningServer(orThrow error: LibraryError) async throws -> ExitStatus {
        guard error.code == .inUse, let file = ServerFile.read(directory),
            let remote = try? RemoteLibrary(file), await remote.answers()
        else { throw error }
        Terminal.note("This library is being served already:")
        Terminal.print("\(file.address)/?token=\(file.token)")
        if serve.opensBrowser, let entry = try? await remote.entryAddress() { Desktop.open(entry) }
        return .success
    }
}
