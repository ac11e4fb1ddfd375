'use strict';
// Stands for the checkout's own: a client that asks once, by the URL that the environment names.
require(process.argv[2]).get(process.env.test_url, (answer) => {
  answer.resume().on('end', () => console.log(JSON.stringify({ throughput: answer.statusCode === 200 ? 8 : 0 })));
});
