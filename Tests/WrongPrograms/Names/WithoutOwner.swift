// SPDX-License-Identifier: Apache-2.0
// expect: add 'owner:', or write 'messages(named:).observe'
import Tidings

func start(_ center: MessageCenter) -> ObservationToken {
    center.observe(named: "InternetConnect") { name, object in print(name) }
}
