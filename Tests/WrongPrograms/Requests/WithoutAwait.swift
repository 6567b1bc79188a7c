// SPDX-License-Identifier: Apache-2.0
// expect: not marked with 'await'
import Tidings

struct Total: Request { typealias Response = Int }

func start(_ center: MessageCenter) async throws {
    let total = try center.request(Total())
    print(total)
}
