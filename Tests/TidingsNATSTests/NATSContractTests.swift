// SPDX-License-Identifier: Apache-2.0
#if NATS
import Testing
import TidingsBridgeTesting
import TidingsNATS

@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSContractTests {
    @Test(arguments: BridgeTransportContract.attempts)
    func keepsTheContract(_ attempt: BridgeTransportContract.Attempt) async throws {
        let server = try await NATSServer()
        let contract = BridgeTransportContract(features: .all) {
            NATSTransport(server.address, .patient)
        }
        try await contract.check(attempt)
    }
}
#endif
