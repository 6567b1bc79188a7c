// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineHousehold
@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct HouseholdAccessTextTests {
    @Test func eachChangeOfTheAccessIsOneLineWithoutASecret() throws {
        let join = try HouseholdAddress("nats://s3cret@a:4222", space: nil, credentialsFile: nil)
        let fault = "a:4222 refuses the credentials. Check them."
        let refused = join.text(of: HouseholdAccessChanged(problem: fault))
        #expect(refused.hasPrefix("Not connected to the other machines. \(fault) offline tries"))
        #expect(
            join.text(of: HouseholdAccessChanged(problem: nil)) == "Connected to nats://a:4222."
        )
    }
}
