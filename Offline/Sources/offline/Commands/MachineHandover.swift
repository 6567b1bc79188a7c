// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineModel

/// `offline get --on`: hands addresses to a machine of the household.
struct MachineHandover {
    private let machine: String
    private let environment: Environment

    init(_ machine: String, _ environment: Environment) {
        self.machine = machine
        self.environment = environment
    }

    /// Hands over each address and prints which machine keeps the address.
    ///
    /// - Throws: An error with the reason if no address could be handed over.
    func hand(over requests: [DownloadRequest]) async throws -> ExitStatus {
        let found = await LibraryAccess.patientServer(of: environment.directory)
        guard let server = found else {
            throw RemoteError(
                message: "--on needs a running `offline serve --join nats://HOST:PORT`, and no "
                    + "server of this library responds."
            )
        }
        var failures: [any Error] = []
        for request in requests {
            do {
                note(
                    request,
                    try await server.call(API.server.handOver, .init(request, to: machine))
                )
            } catch {
                failures.append(error)
            }
        }
        server.close()
        if failures.count == requests.count, let failure = failures.first { throw failure }
        for failure in failures { Terminal.note(ExitStatus.explanation(of: failure)) }
        return failures.isEmpty ? .success : .failure
    }

    private func note(_ request: DownloadRequest, _ handover: Handover) {
        let keeper = handover.machine.map { "“\($0)”" } ?? "The first machine that is free"
        let address = request.origin.text
        let text =
            handover.isSent
            ? "\(keeper) keeps \(address)"
            : "\(keeper) will keep \(address): it waits on this disk for the household's server."
        Terminal.note(Terminal.clean(text))
    }
}

extension GetOptions {
    /// Refuses options that have no meaning on another machine.
    func checkHandover() throws(UsageError) {
        guard machine != nil else { return }
        guard machine != "" else {
            throw UsageError("The machine is missing. Use --on any, or --on with its name.")
        }
        // With `-o` the command waits for the file, which would then be on another machine.
        guard !waits else {
            throw UsageError("--on leaves the file on another machine. Leave out --wait and -o.")
        }
        var plain = self
        plain.again = false
        plain.isLive = false
        plain.recordedTime = nil
        plain.requests = RequestArguments()
        guard plain == self else {
            throw UsageError(
                "--on hands over addresses with --quality, --audio, --subtitles and --chapters "
                    + "only, since every machine of the household can read them. Leave out the "
                    + "other options."
            )
        }
    }
}
