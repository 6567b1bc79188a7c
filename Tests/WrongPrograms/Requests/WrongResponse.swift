// SPDX-License-Identifier: Apache-2.0
// expect: 'String' to closure result type 'Total.Response'
import Tidings

struct Total: Request { typealias Response = Int }

func start(_ center: MessageCenter) -> ObservationToken {
    center.respond(to: Total.self) { _ in "three" }
}
