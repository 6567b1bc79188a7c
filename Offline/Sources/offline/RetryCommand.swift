// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsHTTP

/// `offline retry` and `offline resume`: queues paused, failed and missing items again, one perhaps
/// at a new address.
struct RetryCommand {
    let ids: [ItemID]
    let address: WebAddress?
    /// The word on the command line, for reports.
    var command = "retry"
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let status = await EachItem(command: command, environment: environment).run(ids) { id in
            try await library.retry(id, at: address)
            let item = try await library.details(of: id)
            // A file that was imported has been checked again instead.
            if item.state == .ready { return "Item \(id) is ready." }
            if item.state == .failed, let error = item.error { return error.message }
            return library.isServed ? item.queuedAtServer : item.queuedWithoutServer
        }
        await library.stop()
        return status
    }
}
