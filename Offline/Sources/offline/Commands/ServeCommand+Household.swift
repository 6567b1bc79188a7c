// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineApp
import OfflineHousehold
import OfflineLibrary
import TidingsBridge

extension ServeCommand {
    /// Returns the transport to the household's server, or nil without `--join`.
    func householdTransport() throws(UsageError) -> (any BridgeTransport)? {
        guard let join = serve.join else { return nil }
        if let transport = join.makeTransport() { return transport }
        throw UsageError(
            "This build cannot join other machines, because it lacks the client of NATS. Install it "
                + "(libnats-dev on Debian and Ubuntu), then build again with `make run` or "
                + "`make install`."
        )
    }

    /// Returns the household of a library, or nil without `--join`.
    func household(_ library: Library, _ transport: (any BridgeTransport)?) -> Household? {
        guard let join = serve.join, let transport else { return nil }
        return Household(
            library: library,
            name: ProcessInfo.processInfo.hostName,
            space: join.space,
            transport: transport
        )
    }

    /// Joins the household.
    ///
    /// If that fails, the reason is printed and the library works alone.
    func join(_ app: OfflineApp) async {
        guard let join = serve.join else { return }
        Terminal.note("This library joins the space “\(join.space)” at \(join).")
        do {
            try await app.join()
            if !serve.opensToDevices {
                Terminal.note("Add --lan, so that the other machines can open its page.")
            }
        } catch {
            Terminal.note(
                "The other machines get no messages. \(ExitStatus.explanation(of: error))"
            )
        }
    }
}

extension HouseholdAddress {
    /// Returns the line about a change of the access to the household's server.
    func text(of change: HouseholdAccessChanged) -> String {
        guard let problem = change.problem else { return "Connected to \(self)." }
        return "Not connected to the other machines. \(problem) offline tries again by itself; a "
            + "change of --join needs a restart."
    }
}
