// SPDX-License-Identifier: Apache-2.0
package import OfflineAPI
import OfflineLibrary
package import OfflineModel
import TidingsBridge

extension Household {
    /// How long the sender of an address waits for the household's server.
    private static let patience = Duration.seconds(5)

    /// Hands an address to a machine of the household.
    ///
    /// When this method returns, the address is on the disk. The other machines get the address as
    /// soon as the household's server is available.
    ///
    /// - Parameters:
    ///   - request: The address and the choice of media.
    ///   - machine: The name of a machine, or `any` for the first machine that is free.
    /// - Returns: Where the address is now.
    /// - Throws: `HandoverError`, `LibraryError` with `.invalidAddress` for an address that is too
    ///   long, and any `LibraryError` if this machine keeps the address.
    package func handOver(
        _ request: DownloadRequest,
        to machine: String
    ) async throws -> Handover {
        let address = HandedAddress(request)
        // The other machine would refuse the address, and the address would be lost.
        guard address.isShort else {
            throw LibraryError(
                .invalidAddress,
                "The address has more than \(HandedAddress.longest) bytes, and no other machine "
                    + "takes it. Keep it here: leave out --on."
            )
        }
        if machine == Handover.any {
            let isSent = try await publish(AddressForAny(address: address))
            return Handover(machine: nil, isSent: isSent)
        }
        let origins = origins(named: machine)
        // The list of machines does not include this machine.
        let isOwnName = machine == overview().name
        let count = origins.count + (isOwnName ? 1 : 0)
        guard count <= 1 else {
            throw HandoverError(
                "\(count) machines are named “\(machine)”. Give one of them another host name, or "
                    + "use --on any."
            )
        }
        if isOwnName {
            _ = try await library.enqueue(request)
            return Handover(machine: machine, isSent: true)
        }
        guard let origin = origins.first else {
            guard overview().isConnected else {
                throw HandoverError(
                    "No machine named “\(machine)” has reported lately: the household's server "
                        + "cannot be reached. Try again later, or use --on any."
                )
            }
            throw HandoverError(noMachine: machine, names)
        }
        let isSent = try await publish(AddressForMachine(origin: origin, address: address))
        return Handover(machine: machine, isSent: isSent)
    }

    private var names: [String] {
        let overview = overview()
        return (overview.machines.map(\.name) + [overview.name].compactMap(\.self)).sorted()
    }

    /// Stores a message, and returns whether the household's server has accepted the message.
    private func publish(_ message: some BridgedMessage) async throws -> Bool {
        do throws(BridgeError) {
            let receipt = try await bridge.publish(message)
            return await isAccepted(receipt)
        } catch {
            throw HandoverError("The address could not be stored. \(error.message)")
        }
    }

    private func isAccepted(_ receipt: Receipt) async -> Bool {
        let clock = clock
        return await withTaskGroup(of: Bool.self) { tasks in
            tasks.addTask { (try? await receipt.accepted()) != nil }
            tasks.addTask {
                try? await clock.sleep(for: Self.patience)
                return false
            }
            defer { tasks.cancelAll() }
            return await tasks.next() ?? false
        }
    }
}

extension HandoverError {
    fileprivate init(noMachine name: String, _ names: [String]) {
        let here = names.map { "“\($0)”" }.joined(separator: ", ")
        self.init("No machine named “\(name)” is here now. Here are: \(here). Or use --on any.")
    }
}
