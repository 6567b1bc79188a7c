// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineMedia
import OfflineModel
import TidingsHTTP

/// `offline retry` and `offline resume`: queues paused, failed and missing items again.
///
/// A single item can get a new address.
struct RetryCommand: Command {
    static var forms: [CommandForm] {
        Form(
            "resume",
            Self(command: "resume", action: .resume),
            help: "Queues paused, failed and missing items again."
        )
        .arguments(.item, into: \.ids)
        .options([
            .flag("--all", into: \.concernsAll, replacesArguments: true): "queue all paused items"
        ])
        Form("retry", Self(), help: "Queues items again, as `resume` does, or at a new address.")
            .details("Keeps the received data if the new address has the same.")
            .arguments(.item, into: \.ids)
            .options([
                .flag("--all", into: \.concernsAll, replacesArguments: true):
                    "queue all failed items",
                .option("--address", .address, into: \.address):
                    "download the item from this address from now on",
            ])
    }

    var ids: [ItemID] = []
    var concernsAll = false
    var address: WebAddress?
    /// The word on the command line, for reports.
    var command = "retry"
    /// The action on all items.
    var action = CommonAction.retry

    mutating func check() throws(UsageError) {
        guard address == nil || ids.count == 1 else {
            throw UsageError("--address replaces the address of one item. Name one item.")
        }
    }

    func run(in environment: Environment) async throws -> ExitStatus {
        if concernsAll { return try await CommonActionCommand(action: action).run(in: environment) }
        let library = try await LibraryAccess.open(environment)
        let status = await EachItem(command: command, environment: environment).run(ids) { id in
            try await library.call(API.items.retry, .init(id, RetryJSON(address: address?.text)))
            let item = try await library.call(API.items.item, id)
            // An imported file has been checked again instead.
            if item.state == .ready { return "Item \(id) is ready." }
            if item.state == .failed, let error = item.error { return error.message }
            return library.isServed ? item.queuedAtServer : item.queuedWithoutServer
        }
        await library.stop()
        return status
    }
}
