// SPDX-License-Identifier: Apache-2.0
// expect: 'Total' conform to 'Request'
import Tidings

struct Total: Message {}

func start(_ center: MessageCenter) async throws {
    let total = try await center.request(Total())
    print(total)
}
